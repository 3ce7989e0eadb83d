package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPathBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;

/**
 * What a training program needs to report its progress: the endpoint's address, the certificates to
 * trust it by, and a token that is good for this TrainJob's status only. All regular containers of
 * the first trainer job get it; which rank reports is a matter between the programs.
 */
final class ProgressPlugin implements PlanPlugin {

  private static final String VOLUME = "kubeflow-trainer-token";
  private static final String DIRECTORY = "/var/run/secrets/kubeflow/trainer";
  private static final String CA_FILE = "ca.crt";
  private static final String TOKEN_FILE = "token";
  private static final long TOKEN_SECONDS = 3600;

  @Override
  public boolean handles(PlanRequest request) {
    return request.settings() != null && request.settings().progress() != null;
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    HelperObject.Texts authorities = authorities(plan.name(), request.settings().progress());
    List<EnvVar> env =
        List.of(
            FrameworkEnv.variable(
                "KUBEFLOW_TRAINER_SERVER_URL",
                request.settings().progress().server() + "/apis/" + path(plan)),
            FrameworkEnv.variable("KUBEFLOW_TRAINER_SERVER_CA_CERT", DIRECTORY + "/" + CA_FILE),
            FrameworkEnv.variable("KUBEFLOW_TRAINER_SERVER_TOKEN", DIRECTORY + "/" + TOKEN_FILE));
    return plan.trainer()
        .map(
            first ->
                plan.withPodSet(
                    first.name(),
                    podSet ->
                        podSet
                            .withVolume(volume(path(plan), authorities.name()))
                            .withContainers(container -> report(container, env))))
        .orElse(plan)
        .withHelper(authorities);
  }

  /** A TrainJob's copy of the certificates by which its pods trust the status server. */
  static HelperObject.Texts authorities(String trainJob, ClusterSettings.Progress progress) {
    return new HelperObject.Texts(
        trainJob + "-tls-config", Map.of(CA_FILE, progress.caCertificate()));
  }

  private static Container report(Container container, List<EnvVar> env) {
    VolumeMount mount =
        new VolumeMountBuilder()
            .withName(VOLUME)
            .withMountPath(DIRECTORY)
            .withReadOnly(true)
            .build();
    return ContainerEdits.withMount(ContainerEdits.withEnv(container, env), mount);
  }

  /** The path of the status below the API root, which is the audience of its tokens too. */
  private static String path(RuntimePlan plan) {
    return TrainerApi.API_VERSION
        + "/namespaces/"
        + plan.namespace()
        + "/trainjobs/"
        + plan.name()
        + "/status";
  }

  private static Volume volume(String audience, String certificates) {
    return new VolumeBuilder()
        .withName(VOLUME)
        .withNewProjected()
        .addNewSource()
        .withNewServiceAccountToken(audience, TOKEN_SECONDS, TOKEN_FILE)
        .endSource()
        .addNewSource()
        .withNewConfigMap()
        .withName(certificates)
        .withItems(new KeyToPathBuilder().withKey(CA_FILE).withPath(CA_FILE).build())
        .endConfigMap()
        .endSource()
        .endProjected()
        .build();
  }
}
