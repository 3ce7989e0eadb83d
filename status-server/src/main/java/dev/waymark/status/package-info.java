/**
 * The status endpoint of Kubeflow Trainer, for a laptop and for a cluster. {@link
 * dev.waymark.status.StatusServer} takes a report over HTTPS, a {@link
 * dev.waymark.status.TokenVerifier} says who may report, a {@link dev.waymark.status.StatusSink}
 * takes it from there.
 */
package dev.waymark.status;
