package dev.waymark.trainer.api;

import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The shipped CRDs as plain values. */
final class Crds {

  static Map<String, Object> read(String yaml) {
    LoaderOptions options = new LoaderOptions();
    options.setNestingDepthLimit(100); // a pod spec goes deep
    return new Yaml(new SafeConstructor(options)).load(yaml);
  }

  /** The schema of a shipped CRD. */
  static Map<String, Object> schema(String name) {
    return schemaOf(CustomResourceDefinitions.yaml(name));
  }

  /** The schema of a CRD's only version. */
  static Map<String, Object> schemaOf(String yaml) {
    return map(map(version(yaml), "schema"), "openAPIV3Schema");
  }

  static List<Map<String, Object>> columns(String name) {
    return list(version(CustomResourceDefinitions.yaml(name)), "additionalPrinterColumns");
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> around, String name) {
    return (Map<String, Object>) around.get(name);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> list(Map<String, Object> around, String name) {
    return (List<Map<String, Object>>) around.get(name);
  }

  private static Map<String, Object> version(String yaml) {
    return list(map(read(yaml), "spec"), "versions").get(0);
  }

  private Crds() {}
}
