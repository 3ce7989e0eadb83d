package dev.waymark.trainer.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.conformance.ConformanceFolder;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Types and schemas hold each other: what a schema has, a record declares, and the other way
 * around, each with the same JSON type. fabric8's own types are taken as they are.
 */
class TypesAndSchemaTest {

  /** What JobSet's status says of its restarts passes through the additional properties. */
  private static final Map<Class<?>, Set<String>> PASSED_THROUGH =
      Map.of(
          JobSetStatus.class,
          Set.of(
              "currentInPlaceRestartAttempt",
              "previousInPlaceRestartAttempt",
              "restartsCountTowardsMax"),
          JobSetStatus.ReplicatedJobStatus.class,
          Set.of("jobRestarts", "jobRestartsCountTowardsMax"));

  /** Schema types by Java type. */
  private static final Map<Class<?>, String> SCALARS =
      Map.of(
          String.class, "string",
          Instant.class, "string date-time",
          Boolean.class, "boolean",
          Integer.class, "integer int32",
          Long.class, "integer int64");

  @ParameterizedTest(name = "{0}.{1}")
  @MethodSource
  void holdEachOther(String crd, String field, Class<?> type, Map<String, Object> schema) {
    Map<String, String> differences = new TreeMap<>();
    compareRecord(field, type, Crds.map(Crds.map(schema, "properties"), field), differences);

    assertThat(differences).isEmpty();
  }

  static Stream<Arguments> holdEachOther() throws IOException {
    String jobSets =
        Files.readString(ConformanceFolder.PATH.resolve("crds/jobsets.jobset.x-k8s.io.yaml"));
    return Stream.of(
        Arguments.of("trainjobs", "spec", TrainJobSpec.class, trainer("trainjobs")),
        Arguments.of("trainjobs", "status", TrainJobStatus.class, trainer("trainjobs")),
        Arguments.of(
            "trainingruntimes", "spec", TrainingRuntimeSpec.class, trainer("trainingruntimes")),
        Arguments.of(
            "clustertrainingruntimes",
            "spec",
            TrainingRuntimeSpec.class,
            trainer("clustertrainingruntimes")),
        Arguments.of("jobsets", "spec", JobSetSpec.class, Crds.schemaOf(jobSets)),
        Arguments.of("jobsets", "status", JobSetStatus.class, Crds.schemaOf(jobSets)));
  }

  private static Map<String, Object> trainer(String plural) {
    return Crds.schema(plural + ".trainer.kubeflow.org");
  }

  private static void compareRecord(
      String path, Class<?> type, Map<String, Object> schema, Map<String, String> differences) {
    Map<String, Object> properties = Crds.map(schema, "properties");
    Set<String> inSchema = new TreeSet<>(properties == null ? Set.of() : properties.keySet());
    inSchema.removeAll(PASSED_THROUGH.getOrDefault(type, Set.of()));
    Set<String> inType = new TreeSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      String name = component.getName();
      if (name.equals("additionalProperties")) {
        continue;
      }
      inType.add(name);
      if (inSchema.contains(name)) {
        compare(
            path + "." + name, component.getGenericType(), Crds.map(properties, name), differences);
      }
    }
    if (!inType.equals(inSchema)) {
      differences.put(path, type.getSimpleName() + " has " + inType + ", its schema " + inSchema);
    }
    if (Arrays.stream(type.getRecordComponents())
        .noneMatch(component -> component.getName().equals("additionalProperties"))) {
      differences.put(path, type.getSimpleName() + " loses unknown fields");
    }
  }

  private static void compare(
      String path, Type type, Map<String, Object> schema, Map<String, String> differences) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
      expect(path, "array", schema, differences);
      compare(
          path + "[]", generic.getActualTypeArguments()[0], Crds.map(schema, "items"), differences);
    } else if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
      expect(path, "object", schema, differences); // stays JSON
    } else if (type instanceof Class<?> scalar && SCALARS.containsKey(scalar)) {
      expect(path, SCALARS.get(scalar), schema, differences);
    } else if (type instanceof Class<?> fabric8
        && KubernetesResource.class.isAssignableFrom(fabric8)) {
      expect(path, "object", schema, differences);
    } else if (type instanceof Class<?> record && record.isRecord()) {
      expect(path, "object", schema, differences);
      compareRecord(path, record, schema, differences);
    } else {
      differences.put(path, "a " + type + " is not compared with anything");
    }
  }

  private static void expect(
      String path, String expected, Map<String, Object> schema, Map<String, String> differences) {
    String format = schema.containsKey("format") ? " " + schema.get("format") : "";
    String said = schema.get("type") + format;
    // RuntimePatch.time stays the text that it is, and two fields of JobSet have no format.
    boolean text = expected.equals("string") && said.equals("string date-time");
    boolean plainInteger = expected.equals("integer int32") && said.equals("integer");
    if (!said.equals(expected) && !text && !plainInteger) {
      differences.put(path, "is " + expected + " here and " + said + " in the schema");
    }
  }
}
