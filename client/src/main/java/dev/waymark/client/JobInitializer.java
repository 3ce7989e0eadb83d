package dev.waymark.client;

/**
 * What is fetched into the nodes' shared volume before the training starts. The runtime needs a job
 * for it.
 *
 * @param dataset comes to {@value #DATASET_PATH}; or null
 * @param model comes to {@value #MODEL_PATH}; or null
 */
public record JobInitializer(StorageSource dataset, StorageSource model) {

  /** Where the training finds its data set. */
  public static final String DATASET_PATH = "/workspace/dataset";

  /** Where the training finds its model. */
  public static final String MODEL_PATH = "/workspace/model";
}
