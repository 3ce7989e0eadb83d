package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NamedExtension;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterAccessTest {

  @TempDir Path folder;

  private ClusterAccess access;

  @BeforeEach
  void writeKubeconfig() throws IOException {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters:
          - {name: a, cluster: {server: "https://a.example"}}
          - {name: b, cluster: {server: "https://b.example"}}
        users: [{name: u, user: {token: t}}]
        contexts:
          - {name: at-a, context: {cluster: a, user: u}}
          - {name: at-b, context: {cluster: b, user: u, namespace: team-b}}
        current-context: at-a
        """);
    access = ClusterAccess.standard().withKubeconfig(file);
  }

  @Test
  void namespaceIsWhatIsSaidOrTheContextsOrDefault() {
    assertThat(access.config().getNamespace()).isEqualTo("default");
    assertThat(access.withContext("at-b").config().getNamespace()).isEqualTo("team-b");
    assertThat(access.withContext("at-b").withNamespace("own").config().getNamespace())
        .isEqualTo("own");
  }

  @Test
  void contextChoosesTheCluster() {
    assertThat(access.config().getMasterUrl()).startsWith("https://a.example");
    assertThat(access.withContext("at-b").config().getMasterUrl()).startsWith("https://b.example");
  }

  /** fabric8 would talk to the cluster of the current context. */
  @Test
  void aContextThatIsNotThereIsNoOther() {
    assertThatThrownBy(() -> access.withContext("at-c").config())
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage("Cluster: context: there is no at-c; there is [at-a, at-b]");
  }

  /** As minikube writes them: they must not make fabric8 load its models of everything. */
  @Test
  void anExtensionIsReadAsItIs() {
    access.config();
    NamedExtension minikube =
        Serialization.unmarshal(
            "{\"name\": \"cluster_info\", \"extension\": {\"kind\": \"Pod\", \"x\": [1]}}",
            NamedExtension.class);

    assertThat(minikube.getExtension()).isEqualTo(Map.of("kind", "Pod", "x", List.of(1)));
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere");

    assertThatThrownBy(() -> access.withKubeconfig(nowhere).config())
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage("Cluster: kubeconfig: " + nowhere + " is not there");
  }

  @Test
  void callsHaveALimit() {
    assertThat(access.config().getRequestTimeout()).as("to the first answer").isEqualTo(10_000);

    Config config = access.withCallTimeout(Duration.ofSeconds(5)).config();
    assertThat(config.getRequestTimeout()).isEqualTo(5_000);
    assertThat(config.getConnectionTimeout()).isEqualTo(10_000);
    assertThat(config.getRequestRetryBackoffLimit()).isEqualTo(3);
  }
}
