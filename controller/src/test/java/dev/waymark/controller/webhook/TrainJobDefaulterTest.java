package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainJobDefaulterTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00.987Z");

  private final TrainJobDefaulter defaulter =
      new TrainJobDefaulter(Clock.fixed(NOW, ZoneOffset.UTC));

  /** Times are years: 2026 is now, an empty one is none; the patch's content is a label. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "created without time,                   ,     , ,     a, 2026",
    "created with time: stays,               ,     , 2020, a, 2020",
    "unchanged: old time,                    a, 2021, ,    a, 2021",
    "unchanged: the user's time is ignored,  a, 2021, 2020, a, 2021",
    "changed: now,                           a, 2021, ,    b, 2026",
    "changed: the user's time is ignored,    a, 2021, 2020, b, 2026",
  })
  void setsTheTimeOfAPatch(
      String what, String oldLabel, String oldTime, String time, String label, String expected)
      throws Exception {
    String old = oldLabel == null ? null : patch("example.com/m", oldLabel, oldTime);

    assertThat(timeAfter(old, patch("example.com/m", label, time)))
        .isEqualTo(expected + (expected.equals("2026") ? "-11-29T12:00:00Z" : "-01-01T00:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({", 2026-11-29T12:00:00Z", "2020, 2020-01-01T00:00:00Z"})
  void aNewManagersPatchIsNew(String time, String expected) throws Exception {
    assertThat(
            timeAfter(patch("example.com/other", "a", "2021"), patch("example.com/m", "a", time)))
        .isEqualTo(expected);
  }

  @Test
  void changesOnlyTheTimesThatAreWrong() throws Exception {
    JsonNode old = trainJob(patch("a.io/x", "1", "2021") + "," + patch("b.io/x", "1", "2021"));
    JsonNode job =
        trainJob(
            patch("b.io/x", "2", "2021")
                + ","
                + patch("a.io/x", "1", "2021")
                + ","
                + patch("c.io/x", "1", null));

    assertThat(review(old, job))
        .isEqualTo(
            JSON.readTree(
                ("[{'op':'add','path':'/spec/runtimePatches/0/time','value':'2026-11-29T12:00:00Z'},"
                        + "{'op':'add','path':'/spec/runtimePatches/2/time','value':'2026-11-29T12:00:00Z'}]")
                    .replace('\'', '"')));
  }

  @Test
  void leavesTrainJobsWithoutPatchesAlone() throws Exception {
    JsonNode job = JSON.readTree("{\"spec\":{\"runtimeRef\":{\"name\":\"rt\"}}}");

    assertThat(defaulter.review(request(null, job))).isEqualTo(Decision.ALLOWED);
    assertThat(defaulter.review(request(job, trainJob("")))).isEqualTo(Decision.ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'trainer':{'numNodes':'2'}}: spec.trainer.numNodes",
        "{'suspend':'yes'}: spec.suspend",
        "{'runtimePatches':{}}: spec.runtimePatches",
        "{'runtimePatches':[1]}: spec.runtimePatches[0]",
        "{'trainer':{'numNodes':'2','image':7}}: spec.trainer.image",
        "{'trainer':{'resourcesPerNode':{'limits':{'cpu':'two'}}}}:"
            + " spec.trainer.resourcesPerNode.limits.cpu",
        "{'trainer':{'resourcesPerNode':{'limits':{'cpu':'1e1.5'}}}}:"
            + " spec.trainer.resourcesPerNode.limits.cpu",
        "{'runtimePatches':[{'manager':'a.io/b','time':'yesterday'}]}: spec.runtimePatches[0].time",
        "{'runtimePatches':[{'manager':'a.io/b','time':'2026-01-02T03:04Z'}]}:"
            + " spec.runtimePatches[0].time",
        "{'runtimePatches':[{'manager':'a.io/b','time':'2026-02-30T03:04:05Z'}]}:"
            + " spec.runtimePatches[0].time",
        "{'runtimePatches':[{'manager':'a.io/b','trainingRuntimeSpec':{'template':{'metadata':"
            + "{'labels':{'a':1}}}}}]}:"
            + " spec.runtimePatches[0].trainingRuntimeSpec.template.metadata.labels.a",
        "{'runtimePatches':[{'manager':'a.io/b','trainingRuntimeSpec':{'template':{'spec':"
            + "{'replicatedJobs':[{'name':'node','template':{'spec':{'template':{'spec':"
            + "{'tolerations':'none'}}}}}]}}}}]}: tolerations",
      })
  void refusesWrongTypesAndNamesTheirFields(String specAndField) throws Exception {
    int colon = specAndField.lastIndexOf(": ");
    JsonNode job =
        JSON.readTree(("{'spec':" + specAndField.substring(0, colon) + "}").replace('\'', '"'));

    assertThatThrownBy(() -> defaulter.review(request(null, job)))
        .isInstanceOf(UnreadableObjectException.class)
        .hasMessageContaining(specAndField.substring(colon + 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+02:00"})
  void takesTimesThatUpstreamReads(String time) throws Exception {
    JsonNode job = trainJob(patch("a.io/b", "x", "2020").replace("2020-01-01T00:00:00Z", time));

    assertThat(defaulter.review(request(null, job))).isEqualTo(Decision.ALLOWED);
  }

  @Test
  void leavesToTheSchemaWhatIsNoPatch() throws Exception {
    JsonNode job = trainJob("null," + patch("a.io/b", "x", null));

    assertThat(review(job, job).findValuesAsText("path")).isEmpty();
    assertThat(review(null, job).findValuesAsText("path"))
        .containsExactly("/spec/runtimePatches/1/time");
    assertThat(review(trainJob("null"), job).findValuesAsText("path"))
        .containsExactly("/spec/runtimePatches/1/time");
  }

  private String timeAfter(String oldPatch, String patch) throws Exception {
    JsonNode job = trainJob(patch);
    JsonNode changes = review(oldPatch == null ? null : trainJob(oldPatch), job);
    return changes.isMissingNode()
        ? job.at("/spec/runtimePatches/0/time").asText()
        : changes.at("/0/value").asText();
  }

  private JsonNode review(JsonNode old, JsonNode job) throws Exception {
    Decision.Allowed allowed = (Decision.Allowed) defaulter.review(request(old, job));
    return allowed.patch() == null ? JSON.missingNode() : allowed.patch();
  }

  private static AdmissionRequest request(JsonNode old, JsonNode job) {
    return new AdmissionRequest("u", old == null ? "CREATE" : "UPDATE", "team-a", null, job, old);
  }

  private static JsonNode trainJob(String patches) throws Exception {
    return JSON.readTree(
        "{\"spec\":{\"runtimeRef\":{\"name\":\"rt\"},\"runtimePatches\":[" + patches + "]}}");
  }

  private static String patch(String manager, String label, String year) {
    return ("{'manager':'%s',%s'trainingRuntimeSpec':{'template':{'metadata':{'labels':{'x':'%s'}}}}}")
        .formatted(manager, year == null ? "" : "'time':'" + year + "-01-01T00:00:00Z',", label)
        .replace('\'', '"');
  }
}
