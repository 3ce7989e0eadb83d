/**
 * The custom resource definitions that the controller works with: those it keeps up to date, and
 * those it waits for.
 */
package dev.waymark.controller.types;
