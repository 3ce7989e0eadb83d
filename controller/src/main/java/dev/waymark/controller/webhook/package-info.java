/**
 * The admission webhooks: the API server asks them before it takes a TrainJob or a runtime. {@link
 * dev.waymark.controller.webhook.WebhookServer} serves them; what is right and what is wrong is
 * decided in {@code dev.waymark.plan}.
 */
package dev.waymark.controller.webhook;
