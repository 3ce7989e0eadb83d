/** What the controller tells Prometheus, and the endpoint that tells it. */
package dev.waymark.controller.metrics;
