package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.WaymarkAnnotations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentPluginTest {

  private static final String OPTION = "-javaagent:/opt/waymark/waymark-agent.jar";
  private static final ClusterSettings CLUSTER =
      new ClusterSettings(
          null,
          new ClusterSettings.AgentInjection(
              "registry.example/waymark-agent:1",
              false,
              new ResourceRequirementsBuilder().addToLimits("cpu", new Quantity("1")).build()));

  @Test
  void bringsTheAgentIntoTheTrainer() {
    PodSet trainer = plan("", "", "true", null).trainer().orElseThrow();

    assertThat(TrainerJson.toMap(trainer.initContainer("waymark-agent").orElseThrow()))
        .hasToString(
            "{args=[/opt/waymark], image=registry.example/waymark-agent:1, name=waymark-agent,"
                + " resources={limits={cpu=1}}, securityContext={allowPrivilegeEscalation=false,"
                + " capabilities={drop=[ALL]}, readOnlyRootFilesystem=true, runAsNonRoot=true,"
                + " seccompProfile={type=RuntimeDefault}}, volumeMounts=[{mountPath=/opt/waymark,"
                + " name=waymark-agent}]}");
    assertThat(trainer.podSpec().getVolumes())
        .extracting(TrainerJson::toMap)
        .containsExactly(Map.of("name", "waymark-agent", "emptyDir", Map.of()));
    assertThat(TrainerJson.toMap(node(trainer)).get("volumeMounts"))
        .hasToString("[{mountPath=/opt/waymark, name=waymark-agent, readOnly=true}]");
    assertThat(options(trainer)).isEqualTo(OPTION);
    assertThat(trainer.container("side").orElseThrow().getEnv()).isEmpty();
    assertThat(trainer.podSpec().getInitContainers())
        .extracting(Container::getName)
        .containsExactly("prepare", "waymark-agent");
  }

  @Test
  void mountsTheImageItselfWhereItShould() {
    ClusterSettings cluster =
        new ClusterSettings(
            null, new ClusterSettings.AgentInjection("registry.example/agent:1", true, null));

    PodSet trainer =
        Planner.planAdmitted(annotated(Yaml.trainJob(""), "true"), Yaml.runtime("{}"), cluster)
            .trainer()
            .orElseThrow();

    assertThat(trainer.initContainer("waymark-agent")).isEmpty();
    assertThat(trainer.podSpec().getVolumes())
        .extracting(TrainerJson::toMap)
        .containsExactly(
            Map.of(
                "name", "waymark-agent", "image", Map.of("reference", "registry.example/agent:1")));
    assertThat(TrainerJson.toMap(node(trainer)).get("volumeMounts"))
        .hasToString("[{mountPath=/opt/waymark, name=waymark-agent, readOnly=true}]");
    assertThat(options(trainer)).isEqualTo(OPTION);
  }

  /** A kubelet starts no container that must not be root as the root that its pod makes of it. */
  @ParameterizedTest(name = "user {0} of the pod: runAsNonRoot {1}")
  @CsvSource(
      nullValues = "-",
      value = {"0,-", "1000,true", "-,true"})
  void isNoRootUnlessAllAre(String user, Boolean nonRoot) {
    String context = user == null ? "" : "securityContext: {runAsUser: " + user + "}";
    RuntimeResource runtime = Yaml.runtime("{}", "", context);
    PodSet trainer =
        Planner.planAdmitted(annotated(Yaml.trainJob(""), "true"), runtime, CLUSTER)
            .trainer()
            .orElseThrow();

    assertThat(trainer.initContainer("waymark-agent").orElseThrow().getSecurityContext())
        .extracting(SecurityContext::getRunAsNonRoot)
        .isEqualTo(nonRoot);
  }

  /** What the runtime and the TrainJob say in JAVA_TOOL_OPTIONS, and what becomes of it. */
  @ParameterizedTest(name = "{0} + {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-," + OPTION,
        "-Xmx1g,-,-Xmx1g " + OPTION,
        "-Xmx1g,-Xmx2g,-Xmx2g " + OPTION,
        "-,' '," + OPTION,
        "-," + OPTION + "," + OPTION,
        "-javaagent:/own/waymark-agent.jar=x,-,-javaagent:/own/waymark-agent.jar=x",
      })
  void appendsToTheLastWord(String ofRuntime, String ofJob, String expected) {
    String runtime = ofRuntime == null ? "" : ", env: [" + variable(ofRuntime) + "]";
    String job = ofJob == null ? "" : "trainer: {env: [" + variable(ofJob) + "]}";

    assertThat(options(plan(job, runtime, "true", null).trainer().orElseThrow()))
        .isEqualTo(expected);
  }

  private static String variable(String value) {
    return "{name: JAVA_TOOL_OPTIONS, value: '" + value + "'}";
  }

  @ParameterizedTest(name = "TrainJob {0}, runtime {1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,false",
        "true,-,true",
        "-,true,true",
        "false,true,false",
        "yes,-,false",
        "true,false,true",
      })
  void asksTheTrainJobFirst(String ofJob, String ofRuntime, boolean injected) {
    PodSet trainer = plan("", "", ofJob, ofRuntime).trainer().orElseThrow();

    assertThat(trainer.initContainer("waymark-agent").isPresent()).isEqualTo(injected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "', env: [{name: JAVA_TOOL_OPTIONS, valueFrom: {configMapKeyRef: {name: c, key: k}}}]'"
            + " | JAVA_TOOL_OPTIONS of container node has its value from elsewhere (valueFrom)",
        "', envFrom: [{configMapRef: {name: c}}]'"
            + " | container node takes variables from elsewhere (envFrom), where JAVA_TOOL_OPTIONS"
            + " may be among them: name it in env",
      })
  void leavesAloneWhatItCanNotSee(String node, String why) {
    RuntimePlan plan = plan("", node, "true", null);

    assertThat(plan.warnings())
        .containsExactly(
            new PlanWarning(
                PlanWarning.Reason.AGENT_NOT_INJECTED, "waymark-agent is not injected: " + why));
    assertThat(plan.trainer().orElseThrow().initContainer("waymark-agent")).isEmpty();
    assertThat(plan.trainer().orElseThrow().podSpec().getVolumes()).isEmpty();
  }

  @Test
  void seesBehindEnvFromWhatEnvNames() {
    PodSet trainer =
        plan(
                "",
                ", envFrom: [{secretRef: {name: s}}], env: [{name: JAVA_TOOL_OPTIONS, value: a}]",
                "true",
                null)
            .trainer()
            .orElseThrow();

    assertThat(options(trainer)).isEqualTo("a " + OPTION);
  }

  @Test
  void needsAnImage() {
    TrainJob job = annotated(Yaml.trainJob(""), "true");

    assertThat(TrainJobValidator.create(job, Yaml.runtime("{}"), ClusterSettings.NONE))
        .extracting(Refusal::toString)
        .containsExactly(
            "TrainJob demo: metadata.annotations[waymark.dev/inject-agent]: this cluster has no"
                + " agent to inject: its operator must configure agentInjection.image");
    assertThat(Planner.plan(job, Yaml.runtime("{}")).warnings()).as("in no cluster").isEmpty();
  }

  private static RuntimePlan plan(String job, String node, String ofJob, String ofRuntime) {
    RuntimeResource runtime = Yaml.runtime("{}", node);
    return Planner.planAdmitted(
        annotated(Yaml.trainJob(job), ofJob), annotated(runtime, ofRuntime), CLUSTER);
  }

  private static <T extends HasMetadata> T annotated(T object, String value) {
    if (value != null) {
      object.getMetadata().setAnnotations(Map.of(WaymarkAnnotations.INJECT_AGENT, value));
    }
    return object;
  }

  private static Container node(PodSet podSet) {
    return podSet.container("node").orElseThrow();
  }

  private static String options(PodSet podSet) {
    return node(podSet).getEnv().stream()
        .filter(it -> it.getName().equals("JAVA_TOOL_OPTIONS"))
        .map(EnvVar::getValue)
        .findFirst()
        .orElse(null);
  }
}
