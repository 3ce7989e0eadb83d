package dev.waymark.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a controller had made of TrainJobs, as the harness of {@code conformance/} wrote it down, to
 * be put into a cluster as if that controller had just gone: TrainJobs and runtimes as their users
 * made them, and the ConfigMaps and JobSets as the controller applied them. Runtimes of the whole
 * cluster, which other tests would see, are left out: a TrainJob goes by its snapshot.
 */
final class StoredState {

  /** Upstream's, and ours. */
  private static final String FIELD_MANAGER = "trainer";

  /** Of the metadata, what no API server decides. */
  private static final Set<String> METADATA = Set.of("name", "labels", "annotations");

  private final String name;
  private final JsonNode objects;

  /**
   * A state.
   *
   * @param dump an {@code after-N.json} of the harness
   */
  StoredState(String name, JsonNode dump) {
    this.name = name;
    // Whenever it was; some fields must be a time.
    String objectsThen = dump.get("objects").toString().replace("<time>", "2026-01-02T03:04:05Z");
    try {
      objects = new ObjectMapper().readTree(objectsThen);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  String name() {
    return name;
  }

  /** The names of the TrainJobs that have a JobSet. */
  List<String> trainJobs() {
    return named("JobSet").map(Map.Entry::getKey).map(it -> it.split("/")[1]).toList();
  }

  /**
   * Puts it into a new namespace.
   *
   * @param client with every right
   * @param labels of the namespace
   */
  void create(KubernetesClient client, String namespace, Map<String, String> labels) {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .withLabels(labels)
                .endMetadata()
                .build())
        .create();
    named("TrainingRuntime").forEach(it -> create(client, namespace, it.getValue()));
    for (String trainJob : trainJobs()) {
      String uid = create(client, namespace, objects.get("TrainJob/" + trainJob));
      Stream.concat(named("ConfigMap"), named("JobSet"))
          .map(Map.Entry::getValue)
          .filter(it -> it.at("/metadata/ownerReferences/0/name").textValue().equals(trainJob))
          .forEach(it -> apply(client, namespace, it, uid));
    }
  }

  private Stream<Map.Entry<String, JsonNode>> named(String kind) {
    return objects.properties().stream().filter(it -> it.getKey().startsWith(kind + "/"));
  }

  /** Returns the uid. */
  private static String create(KubernetesClient client, String namespace, JsonNode dumped) {
    return client
        .resource(parse(client, cleaned(dumped)))
        .inNamespace(namespace)
        .create()
        .getMetadata()
        .getUid();
  }

  private static void apply(
      KubernetesClient client, String namespace, JsonNode dumped, String uid) {
    ObjectNode object = cleaned(dumped);
    ((ObjectNode) object.get("metadata"))
        .set("ownerReferences", dumped.at("/metadata/ownerReferences").deepCopy());
    ((ObjectNode) object.at("/metadata/ownerReferences/0")).put("uid", uid);
    client
        .resource(parse(client, object))
        .inNamespace(namespace)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(FIELD_MANAGER)
                .withForce(true)
                .build());
  }

  private static ObjectNode cleaned(JsonNode dumped) {
    ObjectNode object = dumped.deepCopy();
    object.remove("status");
    ((ObjectNode) object.get("metadata")).retain(METADATA);
    if (!object.has("apiVersion")) {
      object.put("apiVersion", "v1");
    }
    // The harness takes YAML and scripts apart: {"<yaml>": ...}.
    if (object.get("data") instanceof ObjectNode data) {
      data.properties().stream()
          .filter(it -> it.getValue().isObject())
          .forEach(it -> it.setValue(text((ObjectNode) it.getValue())));
    }
    return object;
  }

  private static TextNode text(ObjectNode takenApart) {
    JsonNode content = takenApart.elements().next();
    if (content instanceof ObjectNode fields) {
      fields.remove("<has managedFields>");
    }
    return TextNode.valueOf(content.toString());
  }

  private static GenericKubernetesResource parse(KubernetesClient client, JsonNode object) {
    return client
        .getKubernetesSerialization()
        .unmarshal(object.toString(), GenericKubernetesResource.class);
  }

  @Override
  public String toString() {
    return name;
  }
}
