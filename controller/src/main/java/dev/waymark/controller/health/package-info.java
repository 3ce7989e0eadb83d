/** The probes. */
package dev.waymark.controller.health;
