package dev.waymark.trainer.api;

/**
 * An object of the Trainer API.
 *
 * @param <S> type of the spec
 * @param <T> type of the status, or Void
 */
public abstract sealed class TrainerResource<S, T> extends KubernetesObject<S, T>
    permits TrainJob, RuntimeResource {

  TrainerResource(Class<S> specType, Class<T> statusType) {
    super(specType, statusType);
  }
}
