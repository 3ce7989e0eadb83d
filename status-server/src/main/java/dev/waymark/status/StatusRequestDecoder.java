package dev.waymark.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the body of a status request as leniently, and as strictly, as Go's {@code encoding/json}
 * does for Kubeflow Trainer: unknown fields are skipped, keys may be in any case, of a key given
 * twice the last one counts, and what follows the first value is not looked at; but a whole number
 * is written as one, text is text, and a time is RFC 3339.
 *
 * <p>One difference is on purpose: when a list of metrics is given twice, Go fills gaps in the
 * second from the first.
 */
final class StatusRequestDecoder {

  /** Go's own limit; the body's size bounds everything else. */
  private static final int MAX_DEPTH = 10_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;

  private StatusRequestDecoder(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Decodes a body.
   *
   * @return what it reports; empty for {@code null} and for an object without a trainer status
   * @throws InvalidPayloadException when Go would not decode it
   */
  static Optional<TrainerStatus> decode(byte[] body) throws InvalidPayloadException {
    // As text, since Go has neither a byte order mark nor UTF-16, and replaces what is no UTF-8.
    String text = new String(body, StandardCharsets.UTF_8);
    if (startsWithNull(text)) {
      return Optional.empty();
    }
    try (JsonParser parser = JSON.createParser(text)) {
      return new StatusRequestDecoder(parser).request();
    } catch (IOException e) {
      throw new InvalidPayloadException(e.getMessage());
    }
  }

  /** Jackson, unlike Go, looks at what follows a value that is no object. */
  private static boolean startsWithNull(String text) {
    int start = 0;
    while (start < text.length() && " \t\r\n".indexOf(text.charAt(start)) >= 0) {
      start++;
    }
    return text.startsWith("null", start);
  }

  private Optional<TrainerStatus> request() throws IOException, InvalidPayloadException {
    parser.nextToken();
    expect(JsonToken.START_OBJECT, "the request");
    Draft draft = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = foldCase(parser.currentName());
      parser.nextToken();
      if (!key.equals("trainerstatus")) {
        parser.skipChildren();
      } else if (isNull()) {
        draft = null;
      } else {
        draft = draft == null ? new Draft() : draft;
        trainerStatus(draft);
      }
    }
    return Optional.ofNullable(draft).map(Draft::toTrainerStatus);
  }

  private void trainerStatus(Draft draft) throws IOException, InvalidPayloadException {
    expect(JsonToken.START_OBJECT, "trainerStatus");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = foldCase(parser.currentName());
      parser.nextToken();
      switch (key) {
        case "progresspercentage" -> draft.progressPercentage = wholeNumber(key);
        case "estimatedremainingseconds" -> draft.estimatedRemainingSeconds = wholeNumber(key);
        case "metrics" -> draft.metrics = metrics();
        case "lastupdatedtime" -> draft.lastUpdatedTime = time(key);
        default -> parser.skipChildren();
      }
    }
  }

  private Integer wholeNumber(String field) throws IOException, InvalidPayloadException {
    if (isNull()) {
      return null;
    }
    expect(JsonToken.VALUE_NUMBER_INT, field);
    return parser.getIntValue();
  }

  private Instant time(String field) throws IOException, InvalidPayloadException {
    if (isNull()) {
      return null;
    }
    expect(JsonToken.VALUE_STRING, field);
    return GoTime.parse(parser.getText());
  }

  private List<Metric> metrics() throws IOException, InvalidPayloadException {
    if (isNull()) {
      return null;
    }
    expect(JsonToken.START_ARRAY, "metrics");
    List<Metric> metrics = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      metrics.add(metric());
    }
    return metrics.isEmpty() ? null : metrics;
  }

  private Metric metric() throws IOException, InvalidPayloadException {
    String name = "";
    String value = "";
    if (isNull()) {
      return new Metric(name, value);
    }
    expect(JsonToken.START_OBJECT, "a metric");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = foldCase(parser.currentName());
      parser.nextToken();
      switch (key) {
        case "name" -> name = text(key, name);
        case "value" -> value = text(key, value);
        default -> parser.skipChildren();
      }
    }
    return new Metric(name, value);
  }

  private String text(String field, String before) throws IOException, InvalidPayloadException {
    if (isNull()) {
      return before;
    }
    expect(JsonToken.VALUE_STRING, field);
    return replaceLoneSurrogates(parser.getText());
  }

  private boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  private void expect(JsonToken wanted, String what) throws InvalidPayloadException {
    JsonToken found = parser.currentToken();
    if (found != wanted) {
      throw new InvalidPayloadException(what + " is " + found + " instead of " + wanted);
    }
  }

  /**
   * The key in lower case. Two letters beyond ASCII fold to ASCII ones in Go, and so they do here:
   * the long s and the Kelvin sign.
   */
  private static String foldCase(String key) {
    StringBuilder folded = new StringBuilder(key.length());
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c == '\u017f') {
        folded.append('s');
      } else if (c == '\u212a') {
        folded.append('k');
      } else {
        folded.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
      }
    }
    return folded.toString();
  }

  /** Half of a surrogate pair, possible by an escape only, can't be written as UTF-8. */
  private static String replaceLoneSurrogates(String text) {
    if (!hasSurrogates(text)) {
      return text;
    }
    StringBuilder whole = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
        .forEach(whole::appendCodePoint);
    return whole.toString();
  }

  private static boolean hasSurrogates(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** A trainer status that is still being read. */
  private static final class Draft {
    private Integer progressPercentage;
    private Integer estimatedRemainingSeconds;
    private List<Metric> metrics;
    private Instant lastUpdatedTime;

    private TrainerStatus toTrainerStatus() {
      return new TrainerStatus(
          progressPercentage, estimatedRemainingSeconds, metrics, lastUpdatedTime);
    }
  }
}
