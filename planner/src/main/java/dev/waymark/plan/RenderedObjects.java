package dev.waymark.plan;

import dev.waymark.trainer.api.JobSet;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;

/**
 * The objects of a cluster that a TrainJob becomes, each owned by it.
 *
 * @param jobSet as it is created; one that exists is changed by {@link StoredJobSet} instead
 * @param configMaps kept as they are here for as long as the TrainJob is not finished
 * @param sshSecrets created once, and never changed
 */
public record RenderedObjects(
    JobSet jobSet, List<ConfigMap> configMaps, List<SshSecret> sshSecrets) {

  public RenderedObjects {
    configMaps = List.copyOf(configMaps);
    sshSecrets = List.copyOf(sshSecrets);
  }
}
