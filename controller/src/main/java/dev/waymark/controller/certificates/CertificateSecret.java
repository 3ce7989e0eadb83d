package dev.waymark.controller.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The Secret that holds the certificates, shared by all replicas. Whoever writes tells which
 * version it read, so of replicas that decide at the same time one wins, and the others take what
 * it wrote.
 */
final class CertificateSecret {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final PatientApiServer apiServer;
  private final ResourcePath path;

  CertificateSecret(PatientApiServer apiServer, String namespace, String name) {
    this.apiServer = apiServer;
    this.path = ResourcePath.of("v1", "secrets", namespace, name);
  }

  /**
   * What was read.
   *
   * @param object as the API server sent it; null when there is no such Secret
   * @param data its values by key, decoded; those that aren't base64 are absent
   */
  record Version(ObjectNode object, Map<String, String> data) {}

  Version read() {
    ObjectNode object = apiServer.get(path).orElse(null);
    return new Version(object, object == null ? Map.of() : data(object));
  }

  /**
   * Writes values, and leaves all else in the Secret as it was read.
   *
   * @return false when somebody else has written it since
   */
  boolean write(Version read, Map<String, String> values) {
    ObjectNode object = read.object == null ? newSecret() : read.object.deepCopy();
    ObjectNode data = object.withObjectProperty("data");
    values.forEach(
        (key, value) ->
            data.put(
                key,
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.US_ASCII))));
    try {
      if (read.object == null) {
        apiServer.create(path, object);
      } else {
        apiServer.replace(path, object);
      }
      return true;
    } catch (ApiServerException e) {
      if (e.isConflict() || e.isNotFound() && read.object != null) {
        return false;
      }
      throw e;
    }
  }

  private ObjectNode newSecret() {
    ObjectNode object = JSON.objectNode().put("apiVersion", "v1").put("kind", "Secret");
    object.putObject("metadata").put("name", path.name()).put("namespace", path.namespace());
    return object.put("type", "Opaque");
  }

  private static Map<String, String> data(ObjectNode object) {
    Map<String, String> data = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> value : object.path("data").properties()) {
      try {
        byte[] decoded = Base64.getDecoder().decode(value.getValue().asText());
        data.put(value.getKey(), new String(decoded, StandardCharsets.ISO_8859_1));
      } catch (IllegalArgumentException e) {
        // The API server lets none through; it would count as absent.
      }
    }
    return data;
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
