/**
 * The controller: TrainJobs become JobSets, and the cluster serves their progress. Its rooms are
 * the reconcilers ({@code reconcile}), the status server ({@code status}), metrics, probes,
 * webhooks and certificates; {@code Controller} puts them together.
 */
package dev.waymark.controller;
