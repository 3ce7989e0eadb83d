package dev.waymark.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waymark.status.http.HttpAnswer;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** The answers of the endpoint. */
final class StatusAnswer {

  private static final JsonFactory JSON = new JsonFactory();

  /** Nothing was reported, nothing was done. */
  static HttpAnswer nothingReported() {
    return json(200, json -> {});
  }

  /** Echoes what was written. */
  static HttpAnswer accepted(TrainerStatus status) {
    return json(
        200,
        json -> {
          json.writeObjectFieldStart("trainerStatus");
          writeTrainerStatus(json, status);
          json.writeEndObject();
        });
  }

  static HttpAnswer redirect(String location) {
    return new HttpAnswer(307, null, location, "");
  }

  static HttpAnswer badRequest() {
    return HttpAnswer.text(400, "400 Bad Request");
  }

  static HttpAnswer forbidden() {
    return failure(403, "Forbidden", "Forbidden");
  }

  static HttpAnswer notFound() {
    return failure(404, "NotFound", "Not found");
  }

  static HttpAnswer trainJobNotFound() {
    return failure(404, "NotFound", "Train job not found");
  }

  static HttpAnswer tooLarge() {
    return failure(413, "RequestEntityTooLarge", "Payload too large");
  }

  static HttpAnswer invalidPayload() {
    return invalid("Invalid payload");
  }

  static HttpAnswer invalid(String message) {
    return failure(422, "Invalid", message);
  }

  /** There is too much to do for this report; the next one may fare better. */
  static HttpAnswer unavailable() {
    return failure(503, "ServiceUnavailable", "Too many requests, please try again later");
  }

  /** Somebody whom the endpoint needs has failed. */
  static HttpAnswer internalError() {
    return failure(500, "InternalError", "Internal error");
  }

  /** The endpoint itself has failed. */
  static HttpAnswer panic() {
    return failure(500, "InternalError", "Internal Server Error");
  }

  /** A {@code metav1.Status} as Go prints one without kind and version. */
  private static HttpAnswer failure(int code, String reason, String message) {
    return json(
        code,
        json -> {
          json.writeObjectFieldStart("metadata");
          json.writeEndObject();
          json.writeStringField("status", "Failure");
          json.writeStringField("message", message);
          json.writeStringField("reason", reason);
          json.writeNumberField("code", code);
        });
  }

  private static void writeTrainerStatus(JsonGenerator json, TrainerStatus status)
      throws IOException {
    if (status.progressPercentage() != null) {
      json.writeNumberField("progressPercentage", status.progressPercentage());
    }
    if (status.estimatedRemainingSeconds() != null) {
      json.writeNumberField("estimatedRemainingSeconds", status.estimatedRemainingSeconds());
    }
    if (status.metrics() != null) {
      json.writeArrayFieldStart("metrics");
      for (Metric metric : status.metrics()) {
        json.writeStartObject();
        json.writeStringField("name", metric.name());
        json.writeStringField("value", metric.value());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (status.lastUpdatedTime() == null) {
      json.writeNullField("lastUpdatedTime");
    } else {
      json.writeStringField("lastUpdatedTime", status.lastUpdatedTime().toString());
    }
  }

  private static HttpAnswer json(int code, Members members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HttpAnswer.json(code, text.toString());
  }

  /** Writes the members of an object. */
  private interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  private StatusAnswer() {}
}
