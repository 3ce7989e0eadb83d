package dev.waymark.plan;

import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.WaymarkAnnotations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The agent in programs that nobody changed: an init container copies it into a volume, or its
 * image is the volume, and JAVA_TOOL_OPTIONS tells the JVMs of the trainer containers to load it.
 * Comes last, so that it appends to what the TrainJob itself says there.
 */
final class AgentPlugin implements PlanPlugin {

  /** Name of the init container and of the volume. */
  private static final String NAME = "waymark-agent";

  private static final String DIRECTORY = "/opt/waymark";
  private static final String JAR = "waymark-agent.jar";
  private static final String OPTION = "-javaagent:" + DIRECTORY + "/" + JAR;
  private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

  /** Asked for on the TrainJob or on its runtime; what the TrainJob says wins. */
  @Override
  public boolean handles(PlanRequest request) {
    return request.settings() != null
        && Stream.of(request.job(), request.runtime())
            .map(AgentPlugin::wish)
            .flatMap(Optional::stream)
            .findFirst()
            .map("true"::equals)
            .orElse(false);
  }

  @Override
  public List<Refusal> obstacles(PlanRequest request, RuntimePlan plan) {
    return request.settings().agent() != null
        ? List.of()
        : List.of(
            request.forbid(
                "metadata.annotations[" + WaymarkAnnotations.INJECT_AGENT + "]",
                "this cluster has no agent to inject: its operator must configure"
                    + " agentInjection.image"));
  }

  @Override
  public RuntimePlan apply(PlanRequest request, RuntimePlan plan) {
    RuntimePlan injected = plan;
    for (PodSet podSet : plan.podSets()) {
      Optional<Container> node =
          podSet.isTrainer() ? podSet.container(TrainerApi.NODE) : Optional.empty();
      Optional<String> hindrance = node.flatMap(AgentPlugin::hindrance);
      if (hindrance.isPresent()) {
        injected =
            injected.withWarning(
                PlanWarning.Reason.AGENT_NOT_INJECTED,
                NAME + " is not injected: " + hindrance.get());
      } else if (node.isPresent() && !loadsAgent(node.get())) {
        injected = injected.withPodSet(podSet.name(), it -> inject(it, request.settings().agent()));
      }
    }
    return injected;
  }

  private static Optional<String> wish(HasMetadata object) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return Optional.ofNullable(
        annotations == null ? null : annotations.get(WaymarkAnnotations.INJECT_AGENT));
  }

  /** Options that can't be seen here can't be appended to, and would be lost. */
  private static Optional<String> hindrance(Container node) {
    Optional<EnvVar> options = options(node);
    if (options.filter(it -> it.getValueFrom() != null).isPresent()) {
      return Optional.of(OPTIONS + " of container node has its value from elsewhere (valueFrom)");
    } else if (options.isEmpty() && !node.getEnvFrom().isEmpty()) {
      return Optional.of(
          "container node takes variables from elsewhere (envFrom), where "
              + OPTIONS
              + " may be among them: name it in env");
    }
    return Optional.empty();
  }

  private static boolean loadsAgent(Container node) {
    return options(node).map(EnvVar::getValue).filter(value -> value.contains(JAR)).isPresent();
  }

  private static PodSet inject(PodSet podSet, ClusterSettings.AgentInjection agent) {
    return withVolume(podSet, agent)
        .withContainer(
            TrainerApi.NODE,
            node -> {
              String before =
                  options(node).map(EnvVar::getValue).filter(it -> !it.isBlank()).orElse("");
              String value = before.isEmpty() ? OPTION : before + " " + OPTION;
              return ContainerEdits.withMount(
                  ContainerEdits.withEnv(node, List.of(FrameworkEnv.variable(OPTIONS, value))),
                  mount(true));
            });
  }

  private static PodSet withVolume(PodSet podSet, ClusterSettings.AgentInjection agent) {
    VolumeBuilder volume = new VolumeBuilder().withName(NAME);
    return agent.mounted()
        ? podSet.withVolume(volume.withNewImage().withReference(agent.image()).endImage().build())
        : podSet
            .withVolume(volume.withNewEmptyDir().endEmptyDir().build())
            .withAddedInitContainer(copier(agent, runsAsRoot(podSet)));
  }

  private static Optional<EnvVar> options(Container node) {
    return node.getEnv().stream().filter(it -> OPTIONS.equals(it.getName())).findFirst();
  }

  private static Container copier(ClusterSettings.AgentInjection agent, boolean asRoot) {
    return new ContainerBuilder()
        .withName(NAME)
        .withImage(agent.image())
        .withArgs(DIRECTORY)
        .withResources(agent.resources())
        .withVolumeMounts(mount(false))
        .withSecurityContext(restricted(asRoot))
        .build();
  }

  /**
   * What the restricted Pod Security Standard asks of a container. No user is named: the image has
   * one, and some clusters (OpenShift) choose it. Where the pod makes root of everybody, a kubelet
   * would refuse to start a container that is not to be root.
   */
  private static SecurityContext restricted(boolean asRoot) {
    return new SecurityContextBuilder()
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withRunAsNonRoot(asRoot ? null : true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .build();
  }

  private static boolean runsAsRoot(PodSet podSet) {
    PodSecurityContext security = podSet.podSpec().getSecurityContext();
    return security != null && security.getRunAsUser() != null && security.getRunAsUser() == 0;
  }

  private static VolumeMount mount(boolean readOnly) {
    return new VolumeMountBuilder()
        .withName(NAME)
        .withMountPath(DIRECTORY)
        .withReadOnly(readOnly ? true : null)
        .build();
  }
}
