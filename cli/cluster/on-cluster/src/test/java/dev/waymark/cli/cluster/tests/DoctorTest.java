package dev.waymark.cli.cluster.tests;

import static dev.waymark.cli.cluster.tests.TrainJobsOnFakeApiServer.TRAIN_JOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.waymark.cli.cluster.tests.Waymark.Outcome;
import dev.waymark.client.ClusterAccess;
import dev.waymark.client.Finding;
import dev.waymark.client.Finding.Verdict;
import dev.waymark.client.TrainerClient;
import dev.waymark.status.tls.CertificateAuthority;
import dev.waymark.status.tls.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is fit for TrainJobs, and what is said as soon as it isn't. */
class DoctorTest {

  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String POLICIES = "/apis/networking.k8s.io/v1/namespaces/%s/networkpolicies";
  private static final String REFUSED =
      "admission webhook \"validator.trainjob.trainer.kubeflow.org\" denied the request: no runtime";

  /** As often as the client asks, which repeats what is answered with 5xx. */
  private static final int ATTEMPTS = 4;

  @TempDir Path folder;

  private TrainJobsOnFakeApiServer cluster;
  private TrainerClient client;

  @BeforeEach
  void makeAFitCluster() throws IOException {
    cluster = new TrainJobsOnFakeApiServer(folder);
    client = TrainerClient.connect(ClusterAccess.standard().withKubeconfig(cluster.kubeconfig()));
    cluster
        .api()
        .serve(
            "/apis/jobset.x-k8s.io/v1alpha2",
            "{\"kind\":\"APIResourceList\",\"groupVersion\":\"jobset.x-k8s.io/v1alpha2\",\"resources\":"
                + "[{\"name\":\"jobsets\",\"kind\":\"JobSet\",\"namespaced\":true,\"verbs\":[\"get\"]}]}");
    cluster.runtime("rt");
    cluster.trainJob("demo", "status: {trainerStatus: {progressPercentage: 1}}");
    webhooks(authority(Duration.ofDays(365)));
    cluster.put(
        "/api/v1/namespaces/kubeflow-system/endpoints/trainer",
        "{apiVersion: v1, kind: Endpoints, metadata: {name: trainer, namespace: kubeflow-system},"
            + " subsets: [{addresses: [{ip: 10.0.0.1}]}]}");
    cluster.put(
        "/api/v1/namespaces/kubeflow-system/services/trainer",
        "{apiVersion: v1, kind: Service, metadata: {name: trainer, namespace: kubeflow-system},"
            + " spec: {selector: {app: trainer}, ports: [{name: status-server, port: 443,"
            + " targetPort: 8443}]}}");
    cluster.put(
        "/api/v1/nodes/n",
        "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {capacity: {nvidia.com/gpu: '4'},"
            + " allocatable: {nvidia.com/gpu: '4'}}}");
  }

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  @Test
  void allIsWell() {
    cluster.api().refuse(write -> true, 403, REFUSED);
    Outcome doctor = new Waymark(cluster.kubeconfig()).run("doctor");

    assertThat(doctor.out())
        .isEqualTo(
            """
            PART               VERDICT
            Trainer API        ok        trainer.kubeflow.org/v1alpha1 is served
            JobSet             ok        jobset.x-k8s.io/v1alpha2 is served
            controller         ok        trainer in kubeflow-system is ready
            webhooks           ok        their certificates are good
            runtimes           ok        1 to choose from
            progress           ok        TrainJob demo has reported
            network policies   ok        reports pass from team-a to kubeflow-system, TCP 8443
            accelerators       ok        {nvidia.com/gpu=4} on 1 nodes
            """);
    assertThat(doctor.exitCode()).isZero();
    assertThat(cluster.api().get(TRAIN_JOBS + "/waymark-doctor")).as("only tried").isEmpty();
  }

  @Test
  void aCertificateOfAnotherAuthorityIsSeenByTrying() {
    for (int i = 0; i < ATTEMPTS; i++) {
      cluster
          .api()
          .refuse(
              write -> true,
              500,
              "Internal error occurred: failed calling webhook"
                  + " \"validator.trainjob.trainer.kubeflow.org\": failed to call webhook: Post"
                  + " \"https://trainer.kubeflow-system.svc:443/x\": tls: failed to verify"
                  + " certificate: x509: certificate signed by unknown authority");
    }
    assertThat(found("webhooks").verdict()).isEqualTo(Verdict.FAILURE);
    assertThat(new Waymark(cluster.kubeconfig()).run("doctor").exitCode())
        .as("the attempts are over: nobody refuses the TrainJob")
        .isZero();
  }

  @Test
  void certificatesThatEndSoonAndMissingOnesAreTold() {
    cluster.api().refuse(write -> true, 403, REFUSED);
    webhooks(authority(Duration.ofDays(2)));
    assertThat(found("webhooks").verdict()).isEqualTo(Verdict.WARNING);

    webhooks("''");
    assertThat(found("webhooks"))
        .isEqualTo(
            new Finding(
                "webhooks",
                Verdict.FAILURE,
                "validator.trainjob.trainer.kubeflow.org has no caBundle: the controller hasn't put"
                    + " one in"));
  }

  @Test
  void policiesThatCloseTheWayAreTold() {
    policy("team-a", "{policyTypes: [Egress]}");
    assertThat(found("network policies"))
        .isEqualTo(
            new Finding(
                "network policies",
                Verdict.WARNING,
                "nothing passes from team-a out to the cluster's names in kube-system, UDP 53 and"
                    + " out to kubeflow-system, TCP 8443: programs report in vain"));

    policy("team-a", "{policyTypes: [Egress], egress: [{}]}");
    assertThat(found("network policies").verdict()).isEqualTo(Verdict.OK);

    policy("kubeflow-system", "{policyTypes: [Ingress]}");
    assertThat(found("network policies").message())
        .startsWith("nothing passes from team-a in to kubeflow-system, TCP 8443");

    policy("kubeflow-system", "{policyTypes: [Ingress], podSelector: {matchLabels: {app: x}}}");
    assertThat(found("network policies").verdict()).isEqualTo(Verdict.OK);
    policy("team-a", "{policyTypes: [Egress], podSelector: {matchLabels: {app: x}}}");
    assertThat(found("network policies").message()).contains("depends on labels");
  }

  /** What somebody may not see hides nothing of the rest. */
  @Test
  void whatMayNotBeSeenIsUnknown() {
    cluster.api().deny(WEBHOOKS);
    cluster.api().deny("/api/v1/nodes");
    assertThat(client.diagnose())
        .extracting(Finding::part, Finding::verdict)
        .containsExactly(
            tuple("Trainer API", Verdict.OK),
            tuple("JobSet", Verdict.OK),
            tuple("controller", Verdict.UNKNOWN),
            tuple("webhooks", Verdict.UNKNOWN),
            tuple("runtimes", Verdict.OK),
            tuple("progress", Verdict.OK),
            tuple("network policies", Verdict.OK),
            tuple("accelerators", Verdict.UNKNOWN));

    cluster.api().deny(POLICIES.formatted("kubeflow-system"));
    assertThat(found("network policies").verdict()).isEqualTo(Verdict.OK);
    cluster.api().deny(POLICIES.formatted("team-a"));
    assertThat(found("network policies").verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  private Finding found(String part) {
    List<Finding> all = client.diagnose();
    return all.stream().filter(it -> it.part().equals(part)).findFirst().orElseThrow();
  }

  private void policy(String namespace, String spec) {
    cluster.put(
        POLICIES.formatted(namespace) + "/p",
        "{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p, namespace: "
            + namespace
            + "}, spec: "
            + spec
            + "}");
  }

  private void webhooks(String caBundle) {
    cluster.put(
        WEBHOOKS + "/validator.trainer.kubeflow.org",
        "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration,"
            + " metadata: {name: validator.trainer.kubeflow.org}, webhooks: [{name:"
            + " validator.trainjob.trainer.kubeflow.org, clientConfig: {caBundle: "
            + caBundle
            + ", service: {name: trainer, namespace: kubeflow-system}}}]}");
  }

  /** A new one, as a webhook has it. */
  private static String authority(Duration validity) {
    CertificateAuthority authority =
        CertificateAuthority.create("CN=test", validity, Instant.now());
    return Base64.getEncoder()
        .encodeToString(
            Pem.of(List.of(authority.certificate())).getBytes(StandardCharsets.US_ASCII));
  }
}
