package dev.waymark.testbed;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The class's tests run on a real Kubernetes control plane: etcd, API server, controller manager
 * and JobSet, without nodes. They may take two kinds of parameters:
 *
 * <ul>
 *   <li>{@link KubernetesClient}: with every right, and a namespace of its own, made for the test
 *       and deleted after it. In a constructor or a {@code @BeforeAll} method that is the class's
 *       namespace.
 *   <li>{@link Cluster}: for its kubeconfig.
 * </ul>
 *
 * <p>The cluster is started once for a build and is shared by all classes and modules, so tests
 * clean up what they make outside their namespace. It is the one of environment variable {@value
 * Testbed#KUBECONFIG} if that is set. Where the testbed is not built, the tests are skipped with
 * one line; or fail, if {@value Testbed#MODE} is {@code required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {}
