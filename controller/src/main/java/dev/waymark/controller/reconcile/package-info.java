/**
 * From a TrainJob to its JobSet and back: what is watched, what is written, when. What a TrainJob
 * becomes is decided in {@code dev.waymark.plan}.
 */
package dev.waymark.controller.reconcile;
