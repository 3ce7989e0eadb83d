package dev.waymark.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waymark.testbed.Cluster.Part;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A cluster of a test's own. */
@NeedsTestbed
class ClusterIT {

  @Test
  void partsComeAndGoAndNothingStays() {
    Path kubeconfig;
    try (Cluster own = Cluster.start();
        KubernetesClient client = own.newClient()) {
      kubeconfig = own.kubeconfig();
      assertThat(kubeconfig).exists();

      own.stop(Part.API_SERVER);
      assertThatThrownBy(client.namespaces()::list).isInstanceOf(KubernetesClientException.class);

      own.start(Part.API_SERVER);
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(client.namespaces().withName("default").get()).isNotNull());

      own.pause(Part.ETCD);
      own.resume(Part.ETCD);
      assertThat(client.namespaces().withName("default").get()).isNotNull();
    }
    assertThat(Files.exists(kubeconfig.getParent())).isFalse();
  }
}
