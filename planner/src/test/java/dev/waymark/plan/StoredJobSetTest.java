package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainJobSpec;
import dev.waymark.trainer.api.TrainerJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StoredJobSetTest {

  private static final Set<String> CHANGEABLE =
      Set.of("labels", "annotations", "nodeSelector", "tolerations", "schedulingGates");

  /** Every JobSet that upstream rendered is suspended and resumed without what JobSet refuses. */
  @ParameterizedTest(name = "{0}/{1}")
  @MethodSource
  void suspendsAndResumesWhatUpstreamRendered(GoldenCase golden, String name) {
    TrainJob job = Golden.storedTrainJob(golden, 0, name);
    JobSet stored = Golden.jobSet(golden, 0, name).orElseThrow();
    RuntimeResource runtime = Golden.runtime(golden, 0, job).orElseThrow();

    assertOnlySuspendChanges(job, runtime, stored);
  }

  static Stream<Arguments> suspendsAndResumesWhatUpstreamRendered() {
    return ConformanceTest.planned()
        .filter(it -> !OnPurpose.PLANNED_HERE_ONLY.contains(it.get()[0] + "/" + it.get()[1]));
  }

  /** A fixture of a version that rendered other variables, in another order, and no progress. */
  @Test
  void suspendsAndResumesWhatAnOlderVersionRendered() throws IOException {
    TrainJob job = Yaml.trainJob("trainer: {numNodes: 2}");
    JobSet stored;
    try (InputStream fixture = getClass().getResourceAsStream("older-jobset.json")) {
      stored = new ObjectMapper().readValue(fixture, JobSet.class);
    }

    assertOnlySuspendChanges(job, Yaml.runtime("{torch: {}}"), stored);
  }

  private static void assertOnlySuspendChanges(
      TrainJob job, RuntimeResource runtime, JobSet stored) {
    JobSet suspended = applied(stored, job, runtime, true).orElse(stored);
    assertThat(suspended.getSpec().suspend()).isTrue();
    assertThat(fixed(suspended)).isEqualTo(fixed(stored));

    JobSet resumed = applied(suspended, job, runtime, false).orElseThrow();
    assertThat(resumed.getSpec().suspend()).isFalse();
    assertThat(fixed(resumed)).isEqualTo(fixed(stored));
    assertThat(applied(resumed, job, runtime, false)).as("runs and is to run").isEmpty();
  }

  /** What may change, changes: where the patch says so, and back when the patch goes. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "spec: {nodeSelector: {pool: a}}",
        "spec: {tolerations: [{key: a, operator: Exists}]}",
        "spec: {schedulingGates: [{name: example.com/g}]}",
        "metadata: {labels: {a: b}, annotations: {c: d}}",
      })
  void followsPatchesOfASuspendedTrainJob(String podTemplate) {
    RuntimeResource runtime = Yaml.runtime("{torch: {}}");
    TrainJob plain = Yaml.trainJob("suspend: true");
    TrainJob patched =
        Yaml.trainJob(
            "suspend: true\nruntimePatches:\n  - manager: example.com/me\n    trainingRuntimeSpec:"
                + " {template: {spec: {replicatedJobs: [{name: node, template: {spec: {template: {"
                + podTemplate
                + "}}}}]}}}");
    JobSet stored = rendered(plain, runtime);

    JobSet changed =
        StoredJobSet.update(stored, rendered(patched, runtime), Set.of()).orElseThrow();

    assertThat(pretty(changed)).isEqualTo(pretty(rendered(patched, runtime)));
    assertThat(StoredJobSet.update(changed, rendered(patched, runtime), Set.of()))
        .as("again")
        .isEmpty();
    assertThat(
            StoredJobSet.update(changed, rendered(plain, runtime), Set.of())
                .map(StoredJobSetTest::pretty))
        .contains(pretty(stored));
  }

  @Test
  void changesNothingThatIsFixed() {
    TrainJob job = Yaml.trainJob("suspend: true");
    JobSet stored = rendered(job, Yaml.runtime("{torch: {}}"));
    JobSet other = rendered(job, Yaml.runtime("{}", ", command: [other]"));

    assertThat(StoredJobSet.update(stored, other, Set.of())).isEmpty();
  }

  @Test
  void addsLabelsOfTheJobSetAndLeavesForeignOnesAlone() {
    TrainJob job = Yaml.trainJob("suspend: true");
    RuntimeResource runtime = Yaml.runtime("{}");
    JobSet stored = rendered(job, runtime);
    stored.getMetadata().setLabels(Map.of("foreign", "x"));
    JobSet labelled = rendered(job, runtime);
    labelled.getMetadata().setLabels(Map.of("own", "y"));
    Set<String> ofOthers = Set.of("label foreign");

    assertThat(StoredJobSet.update(stored, rendered(job, runtime), ofOthers)).isEmpty();
    assertThat(
            StoredJobSet.update(stored, labelled, ofOthers).orElseThrow().getMetadata().getLabels())
        .containsOnly(Map.entry("own", "y"));
  }

  /** Only an apply finds out whether they were of an earlier rendering. */
  @Test
  void appliesOnceOverLabelsAndAnnotationsThatItDoesNotKnow() {
    TrainJob job = Yaml.trainJob("suspend: true");
    JobSet rendered = rendered(job, Yaml.runtime("{}"));
    JobSet stored = rendered(job, Yaml.runtime("{}"));
    stored.getMetadata().setLabels(Map.of("a", "x"));
    stored.getMetadata().setAnnotations(Map.of("a", "x"));

    assertThat(StoredJobSet.surplus(stored, rendered)).containsOnly("label a", "annotation a");
    assertThat(StoredJobSet.update(stored, rendered, Set.of("label a"))).isPresent();
    assertThat(StoredJobSet.update(stored, rendered, StoredJobSet.surplus(stored, rendered)))
        .isEmpty();
  }

  private static Optional<JobSet> applied(
      JobSet stored, TrainJob job, RuntimeResource runtime, boolean suspend) {
    TrainJobSpec spec = job.getSpec();
    TrainJob toBe = new TrainJob();
    toBe.setMetadata(job.getMetadata());
    toBe.setSpec(
        new TrainJobSpec(
            spec.runtimeRef(),
            spec.initializer(),
            spec.trainer(),
            spec.runtimePatches(),
            suspend,
            spec.activeDeadlineSeconds(),
            spec.managedBy(),
            spec.additionalProperties()));
    return StoredJobSet.update(stored, rendered(toBe, runtime), Set.of());
  }

  private static JobSet rendered(TrainJob job, RuntimeResource runtime) {
    return Renderer.render(Planner.planAdmitted(job, runtime, Golden.CLUSTER), job).jobSet();
  }

  private static String pretty(JobSet jobSet) {
    return JobSetTree.pretty(Golden.plain(jobSet));
  }

  private static Object fixed(JobSet jobSet) {
    Map<String, Object> spec = TrainerJson.toMap(jobSet.getSpec());
    spec.remove("suspend");
    return withoutChangeable(spec, "");
  }

  /** Only below a pod template; the labels of a job itself are fixed. */
  private static Object withoutChangeable(Object value, String path) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> kept = new TreeMap<>();
      map.forEach(
          (name, field) -> {
            if (!(path.contains(".spec.template") && CHANGEABLE.contains(name))) {
              kept.put((String) name, withoutChangeable(field, path + "." + name));
            }
          });
      return kept;
    } else if (value instanceof List<?> items) {
      return items.stream().map(item -> withoutChangeable(item, path)).toList();
    }
    return value;
  }
}
