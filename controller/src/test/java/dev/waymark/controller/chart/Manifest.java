package dev.waymark.controller.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the chart became.
 *
 * @param text YAML, as helm printed it
 * @param objects in it
 */
record Manifest(String text, List<JsonNode> objects) {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static Manifest of(String text) {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
      return new Manifest(
          text,
          documents.readAll().stream()
              // Documents of nothing but comments are null.
              .filter(document -> document != null && document.isObject())
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  Stream<JsonNode> ofKind(String kind) {
    return objects.stream().filter(object -> object.path("kind").asText().equals(kind));
  }

  /** An object, or nothing at all. */
  JsonNode object(String kind, String name) {
    return ofKind(kind)
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  /** The one container of the controller's pods. */
  JsonNode manager() {
    return object("Deployment", "waymark-controller-manager")
        .at("/spec/template/spec/containers/0");
  }

  /** The controller's configuration file. */
  String configuration() {
    return ofKind("ConfigMap")
        .map(map -> map.at("/data/controller_manager_config.yaml"))
        .filter(JsonNode::isTextual)
        .findFirst()
        .orElseThrow()
        .asText();
  }
}
