package dev.waymark.client;

import java.time.Instant;

/**
 * Something that a controller, a scheduler or a kubelet told about a part of a TrainJob.
 *
 * @param time when it happened last
 * @param warning whether it tells of trouble
 * @param kind of the object that it is about: TrainJob, JobSet, Job or Pod
 * @param name of that object
 * @param reason a word such as {@code FailedScheduling}
 * @param message for people
 * @param count how often it happened, at least 1
 */
public record TrainingEvent(
    Instant time,
    boolean warning,
    String kind,
    String name,
    String reason,
    String message,
    int count) {}
