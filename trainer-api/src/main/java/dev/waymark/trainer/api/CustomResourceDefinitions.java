package dev.waymark.trainer.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The CustomResourceDefinitions of the Trainer API, as a cluster installs them. What they say is
 * what kubeflow/trainer v2.3 says, plus the printer columns {@code Progress} and {@code ETA}.
 */
public final class CustomResourceDefinitions {

  /**
   * Which state of the definitions this is, raised with each change of any, so that a controller
   * never takes back what a later one has brought. Stands in {@link #REVISION_ANNOTATION} of each.
   */
  public static final int REVISION = 1;

  /** Absent from definitions that are not this project's. */
  public static final String REVISION_ANNOTATION = "waymark.dev/crd-revision";

  private static final List<String> NAMES =
      List.of(
          "clustertrainingruntimes.trainer.kubeflow.org",
          "optimizationjobs.trainer.kubeflow.org",
          "trainingruntimes.trainer.kubeflow.org",
          "trainjobs.trainer.kubeflow.org");

  /** Names of the definitions: a plural and the group. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * One definition as YAML.
   *
   * @throws IllegalArgumentException if the name is none of {@link #names()}
   */
  public static String yaml(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(name + ": one of " + String.join(", ", NAMES));
    }
    try (InputStream file =
        CustomResourceDefinitions.class.getResourceAsStream("crds/" + name + ".yaml")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of this jar can't be read", e);
    }
  }

  private CustomResourceDefinitions() {}
}
