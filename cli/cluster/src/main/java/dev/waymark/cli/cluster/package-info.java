/**
 * What the {@code waymark} command does in a cluster: one class a command, each of them {@link
 * dev.waymark.client.TrainerClient} with a terminal before it. They are an artefact of their own,
 * so that a local run needs no client of a cluster.
 */
package dev.waymark.cli.cluster;
