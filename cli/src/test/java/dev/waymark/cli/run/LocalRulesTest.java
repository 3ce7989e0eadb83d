package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.waymark.cli.run.TrainJobText.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule as a table: a piece of YAML, where it stands, and what becomes of it. */
class LocalRulesTest {

  private static final Machine TWO_GPUS = new Machine(8, 32L << 30, 2, 0);

  @TempDir Path folder;

  @BeforeEach
  void makeAnImage() throws IOException {
    Files.createDirectories(folder.resolve("image/app"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void refusesWhatChangesTheProgramOrWhatItReads(Place place, String yaml, String reason)
      throws IOException {
    Path file = write(place, yaml);

    RefusedException refused =
        catchThrowableOfType(RefusedException.class, () -> plan(file, Map.of()));

    assertThat(refused).as("refusal").isNotNull();
    assertThat(refused.reasons()).singleElement().asString().contains(reason);
  }

  static Stream<Arguments> refusesWhatChangesTheProgramOrWhatItReads() {
    return Stream.of(
        arguments(Place.JOB, "suspend: true", "spec.suspend is true"),
        arguments(Place.TRAINER, "numNodes: 0", "0 nodes"),
        arguments(Place.TRAINER, "numNodes: 65", "65 nodes"),
        arguments(Place.TRAINER, "numNodes: 2147483647", "at most 64 can run here"),
        arguments(Place.RUNTIME, "mlPolicy: {numNodes: 100000}", "100000 nodes"),
        arguments(Place.BATCH_JOB, "parallelism: 100000", "100000 nodes"),
        arguments(
            Place.JOB,
            "initializer: {dataset: {storageUri: 'hf://iris'}}", // without a job for it
            "spec.initializer would fetch"),
        arguments(Place.CONTAINER, "workingDir: /nowhere", "working directory /nowhere"),
        arguments(Place.POD, "initContainers: [{name: fetch, image: i}]", "init container fetch"),
        arguments(Place.MORE_CONTAINERS, "- {name: proxy, image: i}", "container proxy"),
        arguments(
            Place.CONTAINER, "volumeMounts: [{name: data, mountPath: /data}]", "data at /data"),
        arguments(
            Place.CONTAINER, "volumeDevices: [{name: raw, devicePath: /dev/x}]", "raw at /dev/x"),
        arguments(
            Place.POD,
            "hostAliases: [{ip: 10.0.0.9, hostnames: [data.example, d]}]",
            "give 10.0.0.9 the name data.example, d"),
        arguments(
            Place.POD,
            "resourceClaims: [{name: gpu, resourceClaimName: one-gpu}]",
            "resource claim gpu"),
        arguments(Place.CONTAINER, "env: [{name: 'A=B', value: c}]", "The variable A=B"),
        arguments(Place.CONTAINER, "env: [{name: \"A\\0B\", value: c}]", "given to a process"),
        arguments(Place.CONTAINER, "env: [{name: A, value: \"b\\0c\"}]", "The variable A can't"),
        arguments(Place.CONTAINER, "envFrom: [{secretRef: {name: s}}]", "envFrom"),
        arguments(
            Place.CONTAINER,
            "env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: s, key: k}}}]",
            "The variable TOKEN"),
        arguments(
            Place.CONTAINER,
            "env: [{name: MODE, valueFrom: {configMapKeyRef: {name: c, key: k}}}]",
            "The variable MODE"),
        arguments(
            Place.CONTAINER,
            "env: [{name: UID, valueFrom: {fieldRef: {fieldPath: metadata.uid}}}]",
            "The variable UID"),
        arguments(Place.CONTAINER, "lifecycle: {postStart: {exec: {command: [x]}}}", "postStart"),
        arguments(
            Place.CONTAINER,
            "resources: {limits: {nvidia.com/gpu: 3}}",
            "Each of 1 nodes asks for 3 of nvidia.com/gpu; this machine has 2"),
        arguments(
            Place.CONTAINER,
            "resources: {limits: {nvidia.com/gpu: 3G}}", // which an int doesn't hold
            "Each of 1 nodes asks for 3G of nvidia.com/gpu; this machine has 2"),
        arguments(
            Place.CONTAINER,
            "resources: {limits: {nvidia.com/mig-1g.5gb: 1}}",
            "asks for 1 of nvidia.com/mig-1g.5gb; this machine has 0"),
        arguments(
            Place.MORE_JOBS,
            "- {name: prepare, template: {spec: {template: {spec: {containers:"
                + " [{name: p, image: i}]}}}}}",
            "job prepare"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void warnsOfWhatOnlyBoundsPlacesWatchesOrProtects(Place place, String yaml, String warning)
      throws Exception {
    assertThat(plan(write(place, yaml), Map.of()).warnings())
        .singleElement()
        .asString()
        .contains(warning);
  }

  static Stream<Arguments> warnsOfWhatOnlyBoundsPlacesWatchesOrProtects() {
    return Stream.of(
        arguments(Place.JOB, "activeDeadlineSeconds: 60", "Not enforced here: activeDeadline"),
        arguments(
            Place.CONTAINER, "resources: {limits: {cpu: 2, memory: 1Gi}}", "here: cpu, memory"),
        arguments(
            Place.COMMAND,
            "command: [java, -jar, /no/such.jar]",
            "image, and so looked for on this machine itself: /no/such.jar (not there)"),
        arguments(Place.CONTAINER, "env: [{name: A, value: '-x=/etc/passwd'}]", ": /etc/passwd"),
        arguments(
            Place.CONTAINER, "volumeMounts: [{name: s, mountPath: /dev/shm}]", "/dev/shm is this"),
        arguments(Place.POD, "nodeSelector: {gpu: big}", "Without meaning here: nodeSelector"),
        arguments(Place.POD, "tolerations: [{key: gpu}]", "tolerations"),
        arguments(Place.POD, "priorityClassName: high", "priorityClassName"),
        arguments(Place.POD, "hostNetwork: true", "whatever is said by hostNetwork"),
        arguments(Place.POD, "dnsConfig: {nameservers: [10.0.0.2]}", "said by dnsConfig"),
        arguments(Place.POD, "hostname: trainer", "said by hostname"),
        arguments(Place.POD, "shareProcessNamespace: true", "said by shareProcessNamespace"),
        arguments(Place.POD, "serviceAccountName: trainer", "without serviceAccountName"),
        arguments(Place.POD, "securityContext: {runAsUser: 1}", "without securityContext"),
        arguments(Place.CONTAINER, "securityContext: {runAsUser: 1}", "without securityContext"),
        arguments(Place.POD, "restartPolicy: OnFailure", "restarts"),
        arguments(Place.BATCH_JOB, "backoffLimit: 3", "restarts the program here: backoffLimit"),
        arguments(Place.JOB_SET, "failurePolicy: {maxRestarts: 2}", "here: failurePolicy"),
        arguments(Place.POD, "activeDeadlineSeconds: 60", "Not enforced here: activeDeadline"),
        arguments(Place.BATCH_JOB, "activeDeadlineSeconds: 60", "enforced here: activeDeadline"),
        arguments(Place.CONTAINER, "livenessProbe: {exec: {command: [x]}}", "probes or restarts"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void saysNothingOfWhatHasNoMeaningForAProcess(Place place, String yaml) throws Exception {
    assertThat(plan(write(place, yaml), Map.of()).warnings()).isEmpty();
  }

  static Stream<Arguments> saysNothingOfWhatHasNoMeaningForAProcess() {
    return Stream.of(
        arguments(Place.CONTAINER, "ports: [{containerPort: 80}]"),
        arguments(Place.POD, "volumes: [{name: nobody-mounts-it, emptyDir: {}}]"),
        arguments(Place.TRAINER, "numNodes: 64"),
        arguments(Place.COMMAND, "command: [java, /, /app, --out=/tmp/o, /dev/null, '/d/$(A)']"),
        arguments(
            Place.CONTAINER,
            "env: [{name: JAVA_TOOL_OPTIONS, value: '-javaagent:/opt/waymark-agent.jar'}]"),
        arguments(Place.CONTAINER, "resources: {limits: {nvidia.com/gpu: 2}}"),
        arguments(Place.CONTAINER, "workingDir: /app"),
        arguments(Place.POD, "restartPolicy: Never"),
        arguments(Place.BATCH_JOB, "backoffLimit: 0"),
        arguments(Place.POD, "hostNetwork: false"),
        arguments(
            Place.CONTAINER,
            "env: [{name: T, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}]"));
  }

  @Test
  void letsAVariableOfTheShellStandInForASecret() throws Exception {
    Path file =
        write(
            Place.CONTAINER, "env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: s, key: k}}}]");

    Node node = plan(file, Map.of("TOKEN", "mine")).nodes().get(0);

    assertThat(node.environment()).containsEntry("TOKEN", "mine");
  }

  @ParameterizedTest
  @CsvSource({"restartPolicy: Never, default", "serviceAccountName: trainer, trainer"})
  void tellsTheServiceAccountOfThePod(String pod, String serviceAccount) throws Exception {
    String variable =
        "env: [{name: SA, valueFrom: {fieldRef: {fieldPath: spec.serviceAccountName}}}]";
    String text = new TrainJobText().with(Place.POD, pod).with(Place.CONTAINER, variable).both();
    Path file = Files.writeString(folder.resolve("job.yaml"), text);

    Node node = plan(file, Map.of()).nodes().get(0);

    assertThat(node.environment()).containsEntry("SA", serviceAccount);
  }

  @Test
  void refusesAnImageWithoutAStandIn() throws IOException {
    Path file = write(Place.ANNOTATION, "other: image");

    RefusedException refused =
        catchThrowableOfType(RefusedException.class, () -> plan(file, Map.of()));

    assertThat(refused.reasons())
        .singleElement()
        .asString()
        .contains("The image example.org/image can't run here", "waymark.dev/local-root: DIR");
  }

  @Test
  void refusesACommandThatOnlyTheImageKnows() throws IOException {
    Path file = write(Place.COMMAND, "args: [java]");

    RefusedException refused =
        catchThrowableOfType(RefusedException.class, () -> plan(file, Map.of()));

    assertThat(refused.reasons()).singleElement().asString().contains("No command is given");
  }

  @Test
  void takesTheGraceOfThePod() throws Exception {
    assertThat(plan(write(Place.POD, "terminationGracePeriodSeconds: 5"), Map.of()).grace())
        .hasSeconds(5);
  }

  private static RunPlan plan(Path file, Map<String, String> shell) throws RefusedException {
    return TrainJobPlan.of(List.of(file), shell, TWO_GPUS);
  }

  private Path write(Place place, String yaml) throws IOException {
    String text = new TrainJobText().with(place, yaml).both();
    return Files.writeString(folder.resolve("job.yaml"), text);
  }
}
