package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainerJson;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoSpellingTest {

  /** Fields of a container, as they are read and as they are written. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "resources: {limits: {cpu: 1000m, x/y: 1024Mi}}  | {resources={limits={cpu=1, x/y=1Gi}}}",
        "tty: false, stdin: false, stdinOnce: false      | {}",
        "tty: true                                       | {tty=true}",
        "volumeMounts: [{name: v, mountPath: /p, readOnly: false}] | {volumeMounts=[{mountPath=/p, name=v}]}",
        "volumeMounts: [{name: v, mountPath: /p, readOnly: true}]  | {volumeMounts=[{mountPath=/p, name=v, readOnly=true}]}",
        "ports: [{containerPort: 80, hostPort: 0}]       | {ports=[{containerPort=80}]}",
        "readinessProbe: {initialDelaySeconds: 0, periodSeconds: 5} | {readinessProbe={periodSeconds=5}}",
        "securityContext: {privileged: false, runAsUser: 0} | {securityContext={privileged=false, runAsUser=0}}",
      })
  void writesContainersAsGoDoes(String fields, String expected) {
    PodSet node = Planner.unplanned(request(", " + fields)).trainer().orElseThrow();
    Map<String, Object> container =
        GoSpelling.of(TrainerJson.toMap(node.container("node").orElseThrow()));
    container.keySet().removeAll(Set.of("name", "image"));

    assertThat(container).hasToString(expected);
  }

  private static PlanRequest request(String node) {
    return new PlanRequest(Yaml.trainJob(""), Yaml.runtime("{}", node));
  }

  /** What may have any name keeps any value, and a policy's number of restarts is no exception. */
  @Test
  void knowsWhereNamesAreAnybodys() {
    Map<String, Object> spec =
        Map.of(
            "failurePolicy", Map.of("maxRestarts", 0),
            "template", Map.of("labels", Map.of("limits", "1000m", "tty", false)),
            "replicas", 0);

    assertThat(GoSpelling.of(spec))
        .isEqualTo(
            Map.of(
                "failurePolicy", Map.of(),
                "template", Map.of("labels", Map.of("limits", "1000m", "tty", false)),
                "replicas", 0));
  }
}
