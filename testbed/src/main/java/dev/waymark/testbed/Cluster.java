package dev.waymark.testbed;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A running control plane. Tests that share one get it from {@link OnCluster}; those that hurt it
 * {@link #start()} one of their own.
 *
 * <p>Safe for use by several threads.
 */
public final class Cluster implements AutoCloseable {

  /** A process of the control plane. */
  public enum Part {
    ETCD("etcd"),
    API_SERVER("kube-apiserver"),
    CONTROLLER_MANAGER("kube-controller-manager"),
    JOBSET("jobset");

    private final String process;

    Part(String process) {
      this.process = process;
    }
  }

  private final Testbed testbed;
  private final String name;
  private final Path kubeconfig;

  /** A cluster of the testbed; {@code name} is null for one that was there before. */
  Cluster(Testbed testbed, String name, Path kubeconfig) {
    this.testbed = testbed;
    this.name = name;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts a control plane beside the shared one, on free ports, which takes about ten seconds. It
   * ends with {@link #close()}, at the latest with this JVM.
   *
   * @throws IllegalStateException if the testbed isn't built or a part doesn't come up; the message
   *     says which and why
   */
  public static Cluster start() {
    return Testbed.ofThisCheckout().startOwn();
  }

  /** The file with the API server's address and a certificate that has every right. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /** A client with every right, for the caller to close; its namespace is {@code default}. */
  public KubernetesClient newClient() {
    return newClient("default");
  }

  /** A client with every right in a namespace, for the caller to close. */
  public KubernetesClient newClient(String namespace) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    config.setNamespace(namespace);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /**
   * What kubectl prints, with every right.
   *
   * @throws IllegalStateException if it fails; the message is what it said
   */
  public String kubectl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--kubeconfig", kubeconfig.toString()));
    all.addAll(List.of(arguments));
    return testbed.run("kubectl", all.toArray(new String[0]));
  }

  /** Lets a part hold its connections but answer nothing until {@link #resume}. */
  public void pause(Part part) {
    tell("pause", part);
  }

  /** Lets a paused part go on. */
  public void resume(Part part) {
    tell("resume", part);
  }

  /** Ends a part in its own way and waits until it is gone. */
  public void stop(Part part) {
    tell("stop", part);
  }

  /** Kills a part. */
  public void kill(Part part) {
    tell("kill", part);
  }

  /** Starts a stopped part again; it may need seconds until it answers. */
  public void start(Part part) {
    tell("start", part);
  }

  private void tell(String verb, Part part) {
    if (name == null) {
      throw new IllegalStateException("cannot " + verb + " parts of " + kubeconfig);
    }
    testbed.run("part", "--name", name, verb, part.process);
  }

  /** Stops the control plane and forgets its data. One that was there before is left alone. */
  @Override
  public void close() {
    if (name != null) {
      testbed.run("down", "--name", name);
    }
  }
}
