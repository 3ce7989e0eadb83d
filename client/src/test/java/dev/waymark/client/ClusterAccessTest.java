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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Such as {@code -n "$NAMESPACE"} where the variable isn't set: not all namespaces. */
  @Test
  void anEmptyNamespaceIsNotSaid() {
    assertThat(access.withNamespace("").config().getNamespace()).isEqualTo("default");
    assertThat(access.withContext("at-b").withNamespace("").config().getNamespace())
        .isEqualTo("team-b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", " ", "..", "Team", "a?x=1", "a%2fb"})
  void whatIsNoNamespaceIsRefused(String namespace) {
    assertThatThrownBy(() -> access.withNamespace(namespace).config())
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage(
            "Namespace "
                + namespace
                + ": metadata.name: \""
                + namespace
                + "\" is no name: at most 253 of a-z, 0-9, - and .");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [", "", "# nothing", "contexts: 7", "- a list"})
  void aFileThatIsNoKubeconfigIsTold(String text) throws IOException {
    Path odd = Files.writeString(folder.resolve("odd"), text);

    assertThatThrownBy(() -> access.withKubeconfig(odd).config())
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessageStartingWith("The kubeconfig " + odd + " can't be read: ")
        .message()
        .hasLineCount(1);
  }

  /** fabric8 would look for the API server that pods know. */
  @Test
  void aContextWhoseClusterIsMissingIsTold() throws IOException {
    Path file = folder.resolve("config");
    Files.writeString(file, Files.readString(file).replace("cluster: a,", "cluster: gone,"));

    assertThatThrownBy(() -> access.config())
        .isInstanceOf(TrainerException.Invalid.class)
        .hasMessage("Cluster: context: at-a is of cluster gone, which isn't in the kubeconfig");
  }

  @Test
  void aClusterThatIsCalledAsPodsCallItIsOneToo() throws IOException {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        Files.readString(file).replace("https://a.example", "https://kubernetes.default.svc"));

    assertThat(access.config().getMasterUrl()).startsWith("https://kubernetes.default.svc");
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
