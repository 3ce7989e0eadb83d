package dev.waymark.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/**
 * An answer of the endpoint.
 *
 * @param code HTTP status
 * @param contentType of the body; null when there is none
 * @param location where the client should go instead; null when it is right here
 * @param body never null
 */
record StatusAnswer(int code, String contentType, String location, String body) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Nothing was reported, nothing was done. */
  static StatusAnswer nothingReported() {
    return json(200, json -> {});
  }

  /** Echoes what was written. */
  static StatusAnswer accepted(TrainerStatus status) {
    return json(
        200,
        json -> {
          json.writeObjectFieldStart("trainerStatus");
          writeTrainerStatus(json, status);
          json.writeEndObject();
        });
  }

  static StatusAnswer redirect(String location) {
    return new StatusAnswer(307, null, location, "");
  }

  static StatusAnswer badRequest() {
    return new StatusAnswer(400, "text/plain; charset=utf-8", null, "400 Bad Request");
  }

  static StatusAnswer forbidden() {
    return failure(403, "Forbidden", "Forbidden");
  }

  static StatusAnswer notFound() {
    return failure(404, "NotFound", "Not found");
  }

  static StatusAnswer trainJobNotFound() {
    return failure(404, "NotFound", "Train job not found");
  }

  static StatusAnswer tooLarge() {
    return failure(413, "RequestEntityTooLarge", "Payload too large");
  }

  static StatusAnswer invalidPayload() {
    return invalid("Invalid payload");
  }

  static StatusAnswer invalid(String message) {
    return failure(422, "Invalid", message);
  }

  /** Somebody whom the endpoint needs has failed. */
  static StatusAnswer internalError() {
    return failure(500, "InternalError", "Internal error");
  }

  /** The endpoint itself has failed. */
  static StatusAnswer panic() {
    return failure(500, "InternalError", "Internal Server Error");
  }

  /** A {@code metav1.Status} as Go prints one without kind and version. */
  private static StatusAnswer failure(int code, String reason, String message) {
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

  private static StatusAnswer json(int code, Members members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new StatusAnswer(code, "application/json", null, text + "\n");
  }

  /** Writes the members of an object. */
  private interface Members {
    void write(JsonGenerator json) throws IOException;
  }
}
