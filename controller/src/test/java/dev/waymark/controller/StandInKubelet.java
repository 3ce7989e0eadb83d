package dev.waymark.controller;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccountTokenProjection;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a kubelet would do with a pod, where there is no node: the variables of its first container,
 * the files of its volumes with a token that the API server made for this pod, and its phases. The
 * container's root is a folder of this machine, since nobody may write to the machine's own.
 */
public final class StandInKubelet {

  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Pattern METADATA_ENTRY =
      Pattern.compile("metadata\\.(labels|annotations)\\['(.+)']");

  private final KubernetesClient client;
  private final Path root;

  /**
   * A container's beginning, with the paths of this machine.
   *
   * @param environment all variables
   * @param command what its entry point is called with; empty: that of the image
   */
  public record Start(Map<String, String> environment, List<String> command) {}

  /**
   * A kubelet for the pods of a namespace.
   *
   * @param client in that namespace, with every right
   * @param root for the containers' files
   */
  public StandInKubelet(KubernetesClient client, Path root) {
    this.client = client;
    this.root = root;
  }

  /** Waits for the first pod of a TrainJob. */
  public Pod awaitPod(String trainJob) {
    return await()
        .atMost(LIMIT)
        .until(() -> ClusterObjects.pods(client, trainJob), pods -> !pods.isEmpty())
        .get(0);
  }

  /** Where a container's file lies on this machine. */
  public Path file(String path) {
    return root.resolve(path.substring(1));
  }

  /** Fills the volumes of a pod's first container and says how it would be started. */
  public Start start(Pod pod) throws IOException {
    Container container = pod.getSpec().getContainers().get(0);
    for (VolumeMount mount : container.getVolumeMounts()) {
      Files.createDirectories(file(mount.getMountPath()));
      for (Volume volume : pod.getSpec().getVolumes()) {
        if (volume.getName().equals(mount.getName()) && volume.getProjected() != null) {
          for (VolumeProjection source : volume.getProjected().getSources()) {
            project(source, pod, file(mount.getMountPath()));
          }
        }
      }
    }
    Map<String, String> environment = new TreeMap<>();
    for (EnvVar variable : container.getEnv()) {
      environment.put(variable.getName(), here(value(variable, pod), container));
    }
    List<String> command = new ArrayList<>(container.getCommand());
    command.addAll(container.getArgs());
    return new Start(environment, command.stream().map(word -> here(word, container)).toList());
  }

  private void project(VolumeProjection source, Pod pod, Path folder) throws IOException {
    if (source.getServiceAccountToken() != null) {
      Files.writeString(
          folder.resolve(source.getServiceAccountToken().getPath()),
          token(pod, source.getServiceAccountToken()));
    } else if (source.getConfigMap() != null) {
      Map<String, String> data =
          client.configMaps().withName(source.getConfigMap().getName()).get().getData();
      for (KeyToPath item : source.getConfigMap().getItems()) {
        Files.writeString(folder.resolve(item.getPath()), data.get(item.getKey()));
      }
    } else {
      // The only one that pods get by themselves.
      Files.writeString(folder.resolve("namespace"), pod.getMetadata().getNamespace());
    }
  }

  /** As a kubelet asks for it: bound to the pod. */
  private String token(Pod pod, ServiceAccountTokenProjection wanted) {
    return ClusterObjects.token(
        client,
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences(Stream.ofNullable(wanted.getAudience()).toList())
            .withExpirationSeconds(wanted.getExpirationSeconds())
            .withNewBoundObjectRef(
                "v1", "Pod", pod.getMetadata().getName(), pod.getMetadata().getUid())
            .endSpec());
  }

  private static String value(EnvVar variable, Pod pod) {
    if (variable.getValueFrom() == null) {
      return variable.getValue() == null ? "" : variable.getValue();
    }
    Matcher entry = METADATA_ENTRY.matcher(variable.getValueFrom().getFieldRef().getFieldPath());
    if (!entry.matches()) {
      throw new IllegalStateException(variable + " is of a kind that no test needed so far");
    }
    return (entry.group(1).equals("labels")
            ? pod.getMetadata().getLabels()
            : pod.getMetadata().getAnnotations())
        .getOrDefault(entry.group(2), "");
  }

  private String here(String text, Container container) {
    String result = text;
    for (VolumeMount mount : container.getVolumeMounts()) {
      result = result.replace(mount.getMountPath(), file(mount.getMountPath()).toString());
    }
    return result;
  }

  /** Says that a pod's containers run. */
  public void run(Pod pod) {
    ClusterObjects.setPhase(client, pod, "Running");
  }

  /** Says that a pod's containers ended well. */
  public void succeed(Pod pod) {
    ClusterObjects.setPhase(client, pod, "Succeeded");
  }
}
