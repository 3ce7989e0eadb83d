/**
 * The controller's way to the API server: requests with one round trip, limits of writes, events.
 */
package dev.waymark.controller.kubernetes;
