package dev.waymark.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What tests on the shared cluster can build on. */
@OnCluster
class OnClusterIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  private static String classNamespace;

  @BeforeAll
  static void seesTheClassNamespace(KubernetesClient client) {
    classNamespace = client.getNamespace();
    assertThat(client.namespaces().withName(classNamespace).get()).isNotNull();
  }

  @Test
  void eachTestHasANamespaceOfItsOwn(KubernetesClient client) {
    assertThat(client.getNamespace()).isNotEqualTo(classNamespace);
    assertThat(client.pods().list().getItems()).isEmpty();
    assertThat(client.serviceAccounts().withName("default").get()).isNotNull();
  }

  @Test
  void jobSetMakesJobsAndPodsAndGarbageCollectionTakesThemAway(KubernetesClient client) {
    Resource<GenericKubernetesResource> jobSet = client.resource(jobSet("two", "node"));
    jobSet.create();

    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(client.batch().v1().jobs().list().getItems())
                  .extracting(job -> job.getMetadata().getName())
                  .containsExactly("two-node-0");
              assertThat(client.pods().list().getItems())
                  .extracting(OnClusterIT::completionIndex)
                  .containsExactlyInAnyOrder("0", "1");
            });

    jobSet.delete();
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(client.batch().v1().jobs().list().getItems())
                    .extracting(job -> job.getMetadata().getName())
                    .isEmpty());
  }

  @Test
  void jobSetsOwnWebhookRefuses(KubernetesClient client) {
    GenericKubernetesResource tooLong = jobSet("a".repeat(60), "node");

    assertThatThrownBy(() -> client.resource(tooLong).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("vjobset.kb.io");
  }

  @Test
  void aTokenIsForItsAudienceAndItsIssuerIsTheApiServer(KubernetesClient client) throws Exception {
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences("a-test")
            .withExpirationSeconds(600L)
            .endSpec()
            .build();

    String token =
        client.serviceAccounts().withName("default").tokenRequest(request).getStatus().getToken();

    JsonNode claims =
        new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.")[1]));
    assertThat(claims.at("/aud/0").asText()).isEqualTo("a-test");
    assertThat(claims.at("/kubernetes.io/namespace").asText()).isEqualTo(client.getNamespace());
    assertThat(claims.at("/iss").asText() + "/").isEqualTo(client.getMasterUrl().toString());
    assertThat(client.raw("/.well-known/openid-configuration")).contains("jwks_uri");
  }

  /** Two pods, each with its index. */
  private static GenericKubernetesResource jobSet(String name, String job) {
    return Serialization.unmarshal(
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: %s}
        spec:
          replicatedJobs:
          - name: %s
            template:
              spec:
                parallelism: 2
                completions: 2
                completionMode: Indexed
                template:
                  spec:
                    containers: [{name: main, image: example.invalid/app:1}]
        """
            .formatted(name, job),
        GenericKubernetesResource.class);
  }

  private static String completionIndex(Pod pod) {
    return pod.getMetadata().getAnnotations().get("batch.kubernetes.io/job-completion-index");
  }
}
