package dev.waymark.trainer.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Splits a JSON text into documents. */
final class JsonSource {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** How Jackson names a place within a message. */
  private static final Pattern PLACE = Pattern.compile("\\[Source: [^]]*line: ([0-9]+)[^]]*\\]");

  private final String source;
  private final String text;
  private final Consumer<DocumentProblem> problems;
  private Map<String, Integer> lines = new HashMap<>();

  JsonSource(String source, String text, Consumer<DocumentProblem> problems) {
    this.source = source;
    this.text = text;
    this.problems = problems;
  }

  List<SourceDocument> documents() {
    List<SourceDocument> documents = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      while (parser.nextToken() != null) {
        lines = new HashMap<>();
        int line = parser.currentTokenLocation().getLineNr();
        Object value = value(parser, "");
        documents.add(new SourceDocument(source, documents.size() + 1, line, value, lines));
      }
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      String message = PLACE.matcher(e.getOriginalMessage()).replaceAll("line $1");
      problems.accept(
          new DocumentProblem(source, documents.size() + 1, line, "", "not JSON: " + message));
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory can't be read", e);
    }
    return documents;
  }

  private Object value(JsonParser parser, String path) throws IOException {
    lines.putIfAbsent(path, parser.currentTokenLocation().getLineNr());
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, path);
      case START_ARRAY -> array(parser, path);
      case VALUE_NUMBER_INT -> parser.getNumberValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  private Map<String, Object> object(JsonParser parser, String path) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      String field = SourceDocument.child(path, name);
      lines.put(field, parser.currentTokenLocation().getLineNr());
      parser.nextToken();
      fields.put(name, value(parser, field));
    }
    return fields;
  }

  private List<Object> array(JsonParser parser, String path) throws IOException {
    List<Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser, SourceDocument.child(path, items.size())));
    }
    return items;
  }
}
