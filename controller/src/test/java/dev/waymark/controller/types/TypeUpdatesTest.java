package dev.waymark.controller.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waymark.controller.FakeApiServer;
import dev.waymark.controller.FakeApiServer.Write;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On an API server that has one of the definitions. */
class TypeUpdatesTest {

  private static final String NAME = "trainjobs.trainer.kubeflow.org";
  private static final String PATH =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + NAME;

  private static final int LATER = CustomResourceDefinitions.REVISION + 1;

  private final FakeApiServer server = new FakeApiServer();
  private KubernetesClient client;
  private TypeUpdates updates;

  @BeforeEach
  void connect() {
    client = server.newClient();
    updates = new TypeUpdates(new ApiServer(client));
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"controller-gen.kubebuilder.io/version\": \"v0.21.0\"}",
        "{\"waymark.dev/crd-revision\": \"0\"}",
        "{\"waymark.dev/crd-revision\": \"1\"}",
        "{\"waymark.dev/crd-revision\": \"new\"}"
      })
  void bringsUpToDateWhatIsNotLater(String annotations) {
    put(annotations);

    updates.start();

    assertThat(server.writes())
        .extracting(Write::method, Write::path, Write::query)
        .containsExactly(tuple("PATCH", PATH, "fieldManager=helm&force=true"));
    assertThat(server.get(PATH).orElseThrow().at("/spec/names/kind").asText())
        .isEqualTo("TrainJob");
  }

  /** As after a rollback, or when replicas of two versions start side by side. */
  @Test
  void leavesWhatALaterVersionHasBrought() {
    put("{\"waymark.dev/crd-revision\": \"" + LATER + "\"}");

    updates.start();

    assertThat(server.writes()).isEmpty();
  }

  @Test
  void looksAgainWhereSomebodyWasFaster() {
    put("{}");
    server.refuse(
        write -> {
          put("{\"waymark.dev/crd-revision\": \"" + LATER + "\"}");
          return true;
        },
        409,
        "the object has been modified");

    updates.start();

    assertThat(server.writes()).hasSize(1);
    assertThat(server.get(PATH).orElseThrow().has("spec")).as("of the later version").isFalse();
  }

  @Test
  void leavesWhatItMayNotRead() {
    put("{}");
    server.deny(PATH);

    updates.start();

    assertThat(server.writes()).isEmpty();
    assertThat(updates.notReady()).isEmpty();
  }

  private void put(String annotations) {
    server.put(
        PATH, "{\"metadata\": {\"name\": \"" + NAME + "\", \"annotations\": " + annotations + "}}");
  }
}
