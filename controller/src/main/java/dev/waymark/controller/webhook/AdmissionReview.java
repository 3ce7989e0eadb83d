package dev.waymark.controller.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.webhook.Decision.Allowed;
import dev.waymark.controller.webhook.Decision.Denied;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The text in which API server and webhook speak: {@code admission.k8s.io/v1}. */
final class AdmissionReview {

  private static final String API_VERSION = "admission.k8s.io/v1";
  private static final String KIND = "AdmissionReview";

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** A text that asks nothing; the message says what is wrong with it. */
  static final class MalformedReviewException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedReviewException(String message) {
      super(message);
    }
  }

  /**
   * Reads a question.
   *
   * @throws MalformedReviewException when it isn't one
   */
  static AdmissionRequest read(byte[] text) throws MalformedReviewException {
    JsonNode review;
    try {
      review = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new MalformedReviewException("not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new MalformedReviewException("not JSON: " + e.getMessage());
    }
    require(review.isObject(), "not an AdmissionReview");
    require(
        KIND.equals(review.path("kind").textValue())
            && API_VERSION.equals(review.path("apiVersion").textValue()),
        "kind and apiVersion must be " + KIND + " and " + API_VERSION);
    JsonNode request = review.path("request");
    require(request.isObject(), "request is missing");
    return new AdmissionRequest(
        text(request, "uid", true),
        text(request, "operation", true),
        text(request, "namespace", false),
        text(request, "subResource", false),
        object(request, "object"),
        object(request, "oldObject"));
  }

  /** Writes an answer. */
  static String write(String uid, Decision decision) {
    ObjectNode review = JSON.createObjectNode().put("apiVersion", API_VERSION).put("kind", KIND);
    ObjectNode response = review.putObject("response").put("uid", uid);
    if (decision instanceof Allowed allowed) {
      response.put("allowed", true);
      if (allowed.patch() != null) {
        response.put("patchType", "JSONPatch").put("patch", base64(allowed.patch()));
      }
      putWarnings(response, allowed.warnings());
    } else if (decision instanceof Denied denied) {
      response.put("allowed", false);
      ObjectNode status = response.putObject("status");
      status.put("status", "Failure").put("code", denied.code()).put("message", denied.message());
      if (denied.reason() != null) {
        status.put("reason", denied.reason());
      }
      putWarnings(response, denied.warnings());
    }
    return review.toString();
  }

  private static void putWarnings(ObjectNode response, List<String> warnings) {
    if (!warnings.isEmpty()) {
      warnings.forEach(response.putArray("warnings")::add);
    }
  }

  private static String base64(JsonNode patch) {
    return Base64.getEncoder().encodeToString(patch.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String text(JsonNode request, String name, boolean required)
      throws MalformedReviewException {
    JsonNode value = request.path(name);
    if (value.isTextual() && !value.textValue().isEmpty()) {
      return value.textValue();
    }
    require(
        !required && (value.isMissingNode() || value.isNull() || value.isTextual()),
        "request." + name + " must be text");
    return null;
  }

  private static JsonNode object(JsonNode request, String name) throws MalformedReviewException {
    JsonNode value = request.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    require(value.isObject(), "request." + name + " must be an object");
    return value;
  }

  private static void require(boolean holds, String otherwise) throws MalformedReviewException {
    if (!holds) {
      throw new MalformedReviewException(otherwise);
    }
  }

  private AdmissionReview() {}
}
