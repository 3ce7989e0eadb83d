/**
 * A client of Kubeflow's Trainer API. {@link dev.waymark.client.TrainerClient} is the way in.
 *
 * <pre>
 *   train:  CustomTrainer, JobInitializer, TrainOptions
 *             TrainJobDraft (Launch, ResourcesPerNode; the planner's rules) → Submission → API server
 *   get, list, await, watch:
 *           API server → Cluster (pages) → Trainings
 *             RuntimeReader, StepReader, TrainingReader → Training
 *           Changes: watches wake, reading tells
 *   logs:   PodLogs (waits, follows, resumes) → LogStream
 *   errors: Failures → TrainerException
 * </pre>
 *
 * What decides is pure, and takes what was read; {@code Cluster} and {@code LogStream} alone talk
 * to an API server.
 */
package dev.waymark.client;
