package dev.waymark.client;

import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * Walks in advance the way from a kubeconfig to the first answer, on samples: reads one, makes a
 * client of no server, begins a TLS handshake with nobody, reads a pod and a TrainJob. What a JVM
 * does only once is then done: it loads classes, and Jackson learns them.
 */
final class WarmUp {

  private static final String NOWHERE = "https://127.0.0.1:1";

  /** With the fields that kubeconfigs usually have. */
  private static final String KUBECONFIG =
      """
      apiVersion: v1
      kind: Config
      clusters: [{name: c, cluster: {server: "%s"}}]
      users: [{name: u, user: {token: t}}]
      contexts: [{name: x, context: {cluster: c, user: u, namespace: n}}]
      current-context: x
      """
          .formatted(NOWHERE);

  private static final String POD =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {}, "status": {}}
      """;

  private static final String TRAIN_JOB =
      """
      {"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": {"name": "t"},
       "spec": {}, "status": {}}
      """;

  /** Each in the order in which a client comes to it, so that this is ahead of the client. */
  static final List<Step> OF_OBJECTS = List.of(WarmUp::readKubeconfig, WarmUp::readObjects);

  static final List<Step> OF_CONNECTIONS = List.of(WarmUp::makeClient, WarmUp::greet);

  /** A piece of the way. */
  interface Step {
    void walk() throws GeneralSecurityException, SSLException;
  }

  /** Begins in threads of its own. */
  static void begin() {
    begin("waymark-warm-up-objects", OF_OBJECTS);
    begin("waymark-warm-up-connections", OF_CONNECTIONS);
  }

  private static void begin(String name, List<Step> steps) {
    Thread thread = new Thread(() -> walk(steps), name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void walk(List<Step> steps) {
    try {
      for (Step step : steps) {
        step.walk();
      }
    } catch (GeneralSecurityException | SSLException | RuntimeException | LinkageError e) {
      // The client will meet it as well, and tell it.
    }
  }

  private static void readKubeconfig() {
    ClusterAccess.parse(KUBECONFIG);
  }

  private static void makeClient() {
    Config config = Config.empty();
    config.setMasterUrl(NOWHERE);
    // Nobody is met whom one would have to trust, and reading all that the JDK trusts takes a
    // while.
    config.setTrustCerts(true);
    try (KubernetesClient client = Cluster.open(config)) {
      client.resources(TrainJob.class);
      client.pods();
    }
  }

  /** A client's first message tries out the ciphers and makes keys. */
  private static void greet() throws GeneralSecurityException, SSLException {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[0], null);
    SSLEngine engine = tls.createSSLEngine("127.0.0.1", 1);
    engine.setUseClientMode(true);
    engine.beginHandshake();
    engine.wrap(
        ByteBuffer.allocate(0), ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
  }

  private static void readObjects() {
    KubernetesSerialization serialization = Cluster.serialization();
    serialization.unmarshal(POD, Pod.class);
    serialization.unmarshal(TRAIN_JOB, TrainJob.class);
  }

  private WarmUp() {}
}
