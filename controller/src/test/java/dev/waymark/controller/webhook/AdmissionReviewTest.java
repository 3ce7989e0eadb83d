package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.controller.webhook.AdmissionReview.MalformedReviewException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionReviewTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String START =
      "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':";

  @Test
  void readsWhatTheApiServerAsks() throws Exception {
    AdmissionRequest request =
        read(
            START
                + "{'uid':'u1','kind':{'group':'trainer.kubeflow.org','kind':'TrainJob'},"
                + "'operation':'UPDATE','namespace':'team-a','name':'demo','dryRun':false,"
                + "'object':{'a':1},'oldObject':{'a':2},'options':{}}}");

    assertThat(request)
        .isEqualTo(
            new AdmissionRequest(
                "u1",
                "UPDATE",
                "team-a",
                null,
                JSON.createObjectNode().put("a", 1),
                JSON.createObjectNode().put("a", 2)));
    assertThat(request.storesObject()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'operation':'CREATE','object':{}                         | true",
        "'operation':'CREATE','object':{},'oldObject':null        | true",
        "'operation':'CREATE','object':{},'subResource':''        | true",
        "'operation':'CREATE','object':{},'subResource':'status'  | false",
        "'operation':'CREATE','object':null                       | false",
        "'operation':'UPDATE','object':{}                         | false",
        "'operation':'DELETE','oldObject':{}                      | false",
        "'operation':'CONNECT','object':{}                        | false"
      })
  void tellsWhetherAnObjectIsToBeStored(String members, boolean stores) throws Exception {
    assertThat(read(START + "{'uid':'u1'," + members + "}}").storesObject()).isEqualTo(stores);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                               | not an AdmissionReview",
        "null                                             | not an AdmissionReview",
        "[]                                               | not an AdmissionReview",
        "{                                                | not JSON",
        "{} {}                                            | not JSON",
        "{'kind':1,'kind':2}                              | not JSON",
        "{}                                               | kind and apiVersion must be",
        "{'apiVersion':'admission.k8s.io/v1beta1','kind':'AdmissionReview'} | must be",
        "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}  | request is missing",
        "@null}                                           | request is missing",
        "@{'operation':'CREATE'}}                         | request.uid must be text",
        "@{'uid':'','operation':'CREATE'}}                | request.uid must be text",
        "@{'uid':7,'operation':'CREATE'}}                 | request.uid must be text",
        "@{'uid':'u'}}                                    | request.operation must be text",
        "@{'uid':'u','operation':'CREATE','namespace':1}} | request.namespace must be text",
        "@{'uid':'u','operation':'CREATE','object':[]}}   | request.object must be an object",
        "@{'uid':'u','operation':'UPDATE','oldObject':1}} | request.oldObject must be an object"
      })
  void saysWhatIsWrongWithAQuestionThatIsNone(String text, String message) {
    assertThatThrownBy(() -> read(text.replace("@", START)))
        .isInstanceOf(MalformedReviewException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesDepthsThatWouldEatTheStack() {
    assertThatThrownBy(() -> read("{'a':".repeat(100_000)))
        .isInstanceOf(MalformedReviewException.class);
  }

  @Test
  void writesYes() throws Exception {
    assertThat(write(Decision.ALLOWED)).isEqualTo(json("{'uid':'u1','allowed':true}"));

    JsonNode patch = json("[{'op':'add','path':'/a','value':'ü'}]");
    JsonNode patched =
        write(
            new Decision.Allowed(
                (com.fasterxml.jackson.databind.node.ArrayNode) patch, List.of("beware")));
    assertThat(patched.path("patchType").asText()).isEqualTo("JSONPatch");
    assertThat(JSON.readTree(Base64.getDecoder().decode(patched.path("patch").asText())))
        .isEqualTo(patch);
    assertThat(patched.path("warnings")).isEqualTo(json("['beware']"));
  }

  @Test
  void writesNo() throws Exception {
    assertThat(write(new Decision.Denied(403, "Forbidden", "no", List.of("beware"))))
        .isEqualTo(
            json(
                "{'uid':'u1','allowed':false,'status':{'status':'Failure','code':403,"
                    + "'message':'no','reason':'Forbidden'},'warnings':['beware']}"));
    assertThat(write(Decision.badRequest("unreadable")).path("status"))
        .isEqualTo(json("{'status':'Failure','code':400,'message':'unreadable'}"));
  }

  private static AdmissionRequest read(String text) throws MalformedReviewException {
    return AdmissionReview.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode write(Decision decision) throws Exception {
    JsonNode review = JSON.readTree(AdmissionReview.write("u1", decision));
    assertThat(review.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
    return review.path("response");
  }

  private static JsonNode json(String text) throws Exception {
    return JSON.readTree(text.replace('\'', '"'));
  }
}
