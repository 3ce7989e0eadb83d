package dev.waymark.trainer.api;

/**
 * The names that the Kubeflow Trainer API fixes: its group, and the labels, containers and jobs
 * that a runtime is recognised by. Source: kubeflow/trainer v2.3, {@code pkg/constants}.
 */
public final class TrainerApi {

  public static final String GROUP = "trainer.kubeflow.org";
  public static final String VERSION = "v1alpha1";
  public static final String API_VERSION = GROUP + "/" + VERSION;

  /** On a replicated job of a runtime: which step of a TrainJob runs in it. */
  public static final String ANCESTOR_LABEL = GROUP + "/trainjob-ancestor-step";

  /** Value of {@link #ANCESTOR_LABEL}: the training itself. */
  public static final String ANCESTOR_TRAINER = "trainer";

  /** Value of {@link #ANCESTOR_LABEL}: the job that fetches the dataset. */
  public static final String ANCESTOR_DATASET_INITIALIZER = "dataset-initializer";

  /** Value of {@link #ANCESTOR_LABEL}: the job that fetches the model. */
  public static final String ANCESTOR_MODEL_INITIALIZER = "model-initializer";

  /** On a runtime: the framework that its image holds. Read by clients only. */
  public static final String FRAMEWORK_LABEL = GROUP + "/framework";

  /** On a runtime: how long it will be there. */
  public static final String SUPPORT_LABEL = GROUP + "/support";

  /** Value of {@link #SUPPORT_LABEL}: not for long. */
  public static final String DEPRECATED = "deprecated";

  /** The container that trains, and the usual name of its job. */
  public static final String NODE = "node";

  /** The rendezvous port of the training's first pod. */
  public static final int TRAINER_PORT = 29500;

  /** The pod annotation in which Kubernetes puts a pod's index within its job. */
  public static final String COMPLETION_INDEX_ANNOTATION =
      "batch.kubernetes.io/job-completion-index";

  /** The downward API path of {@link #COMPLETION_INDEX_ANNOTATION}. */
  public static final String COMPLETION_INDEX_FIELD_PATH =
      "metadata.annotations['" + COMPLETION_INDEX_ANNOTATION + "']";

  /** Value of {@code spec.managedBy} for which the controller of this API does the work. */
  public static final String MANAGED_BY_CONTROLLER = GROUP + "/trainjob-controller";

  /** Value of {@code spec.managedBy} with which Kueue's MultiKueue takes a TrainJob over. */
  public static final String MANAGED_BY_MULTIKUEUE = "kueue.x-k8s.io/multikueue";

  private TrainerApi() {}
}
