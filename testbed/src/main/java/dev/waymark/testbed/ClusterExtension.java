package dev.waymark.testbed;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link OnCluster} promises. */
final class ClusterExtension extends TestbedCondition implements ParameterResolver {

  private static final Namespace STORE = Namespace.create(ClusterExtension.class);

  ClusterExtension() {
    super(System.getenv(Testbed.KUBECONFIG));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Cluster.class || type == KubernetesClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() == Cluster.class) {
      return cluster(context);
    }
    // A test's store sees what its class's store has under the same key.
    return context
        .getStore(STORE)
        .computeIfAbsent(
            context.getUniqueId(), key -> new OwnNamespace(cluster(context)), OwnNamespace.class)
        .client;
  }

  private static Cluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .computeIfAbsent(SharedCluster.class, key -> new SharedCluster(), SharedCluster.class)
        .cluster;
  }

  /** Keeps the store, which closes what can be closed, from ending what other JVMs use. */
  private static final class SharedCluster {
    final Cluster cluster = Testbed.ofThisCheckout().shared();
  }

  /** A namespace and a client in it, for one test or one class. */
  private static final class OwnNamespace implements AutoCloseable {
    final KubernetesClient client;

    OwnNamespace(Cluster cluster) {
      String name = "test-" + UUID.randomUUID();
      client = cluster.newClient(name);
      client
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
      // The controller manager makes it a moment later; pods and tokens need it.
      client
          .serviceAccounts()
          .withName("default")
          .waitUntilCondition(account -> account != null, 30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      client.namespaces().withName(client.getNamespace()).delete();
      client.close();
    }
  }
}
