package dev.waymark.plan;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Changed copies of a container. What is there already is replaced where it stands. */
final class ContainerEdits {

  /**
   * Puts variables in, by name.
   *
   * @param env may be null
   */
  static Container withEnv(Container container, List<EnvVar> env) {
    if (env == null || env.isEmpty()) {
      return container;
    }
    List<EnvVar> all = new ArrayList<>(container.getEnv());
    env.forEach(one -> upsert(all, one, other -> one.getName().equals(other.getName())));
    return new ContainerBuilder(container).withEnv(all).build();
  }

  /** Opens a port for TCP, by its number: those of other protocols are other ports. */
  static Container withTcpPort(Container container, int port) {
    List<ContainerPort> all = new ArrayList<>(container.getPorts());
    upsert(
        all,
        new ContainerPortBuilder().withContainerPort(port).build(),
        other -> Objects.equals(port, other.getContainerPort()) && isTcp(other));
    return new ContainerBuilder(container).withPorts(all).build();
  }

  private static boolean isTcp(ContainerPort port) {
    return port.getProtocol() == null || port.getProtocol().equals("TCP");
  }

  /** Mounts a volume, by the place where it is mounted. */
  static Container withMount(Container container, VolumeMount mount) {
    List<VolumeMount> all = new ArrayList<>(container.getVolumeMounts());
    upsert(all, mount, other -> mount.getMountPath().equals(other.getMountPath()));
    return new ContainerBuilder(container).withVolumeMounts(all).build();
  }

  /** Puts an item into a list in place of the first one that is the same, or at its end. */
  static <T> void upsert(List<T> all, T one, Predicate<T> same) {
    for (int i = 0; i < all.size(); i++) {
      if (same.test(all.get(i))) {
        all.set(i, one);
        return;
      }
    }
    all.add(one);
  }

  private ContainerEdits() {}
}
