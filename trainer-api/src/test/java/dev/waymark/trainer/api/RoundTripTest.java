package dev.waymark.trainer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {

  private static final ObjectMapper JACKSON =
      JsonMapper.builder().addModule(new JavaTimeModule()).build();

  /** Every object of our own in these texts gets a field that no version of the API has. */
  @ParameterizedTest
  @ValueSource(strings = {"every-field-trainjob.json", "every-field-runtime.json"})
  void keepsEveryFieldAndUnknownOnesEverywhere(String resource) throws IOException {
    JsonNode original;
    try (InputStream text = getClass().getResourceAsStream(resource)) {
      original = JACKSON.readTree(text);
    }
    addUnknownFields(original);

    TrainerResource<?, ?> read =
        TrainerDocuments.read(resource, original.toString()).resources().get(0);

    assertThat(JACKSON.readTree(TrainerJson.write(read))).isEqualTo(original);
  }

  @Test
  void keepsNullsOfAPatchAndEmptyValuesOfItsOwn() throws IOException {
    String text =
        """
        {"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"a"},\
        "spec":{"runtimeRef":{"name":"r"},"trainer":{"image":"","command":[]},\
        "runtimePatches":[{"manager":"a.example/b","trainingRuntimeSpec":\
        {"template":{"metadata":{"labels":{"x":null}}}}}]}}""";

    TrainJob job = JACKSON.readValue(text, TrainJob.class);

    assertThat(job.getSpec().trainer())
        .isEqualTo(new Trainer("", List.of(), null, null, null, null, null, null));
    assertThat(JACKSON.writeValueAsString(job)).isEqualTo(text);
  }

  @Test
  void isEqualByWhatItSays() {
    String text =
        """
        {"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"a"},\
        "spec":{"runtimeRef":{"name":"r"}},"other":1}""";
    TrainJob job = TrainerDocuments.read("a", text).trainJobs().get(0);
    TrainJob same = TrainerDocuments.read("b", text).trainJobs().get(0);
    TrainJob other = TrainerDocuments.read("c", text.replace(":1}", ":2}")).trainJobs().get(0);

    assertThat(job).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(other);
    same.setStatus(new TrainJobStatus(null, null, null, null));
    assertThat(job).isNotEqualTo(same).hasToString("TrainJob a");
  }

  @Test
  void knowsItsNamesAndScopes() {
    assertThat(HasMetadata.getFullResourceName(TrainJob.class))
        .isEqualTo("trainjobs.trainer.kubeflow.org");
    assertThat(HasMetadata.getFullResourceName(TrainingRuntime.class))
        .isEqualTo("trainingruntimes.trainer.kubeflow.org");
    assertThat(HasMetadata.getFullResourceName(ClusterTrainingRuntime.class))
        .isEqualTo("clustertrainingruntimes.trainer.kubeflow.org");
    assertThat(new TrainJob()).isInstanceOf(Namespaced.class);
    assertThat(new TrainingRuntime()).isInstanceOf(Namespaced.class);
    assertThat(new ClusterTrainingRuntime()).isNotInstanceOf(Namespaced.class);
    assertThat(TrainerJson.write(new TrainJob()))
        .isEqualTo(
            "{\"apiVersion\":\"trainer.kubeflow.org/v1alpha1\",\"kind\":\"TrainJob\",\"metadata\":{}}");
  }

  /** Not into free maps. */
  private static void addUnknownFields(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              field -> {
                if (!List.of("labels", "annotations", "limits", "requests")
                    .contains(field.getKey())) {
                  addUnknownFields(field.getValue());
                }
              });
      object.putObject("unknownToAll").putArray("deep").add(1).add("two");
    } else if (node instanceof ArrayNode array) {
      array.forEach(RoundTripTest::addUnknownFields);
    }
  }
}
