package dev.waymark.controller.reconcile;

import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;

/** What the controller asks a TrainJob. */
final class TrainJobs {

  /** Whether this controller does its work; another one may have taken it over. */
  static boolean isOurs(TrainJob trainJob) {
    String manager = trainJob.getSpec() == null ? null : trainJob.getSpec().managedBy();
    return manager == null || manager.equals(TrainerApi.MANAGED_BY_CONTROLLER);
  }

  static boolean isSuspended(TrainJob trainJob) {
    return trainJob.getSpec() != null && Boolean.TRUE.equals(trainJob.getSpec().suspend());
  }

  private TrainJobs() {}
}
