package dev.waymark.samples.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.samples.testing.Outcome;
import dev.waymark.samples.testing.SampleJar;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The options that the chart's runtimes give a JVM, in one that believes its machine to be as small
 * as a container: heap and arrays together leave room for all else, and a training that asks for
 * more gets an OutOfMemoryError before the kernel would kill it.
 */
class RuntimeMemoryIT {
  private static final Path VALUES = Paths.get("../../charts/waymark/values.yaml");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"dl4jCpu, 512", "dl4jCpu, 2048", "dl4jCuda, 512"})
  void heapAndArraysFollowTheContainersMemory(String runtime, int mebibytes) throws Exception {
    List<String> options = new ArrayList<>(optionsOf(runtime));
    options.add("-XX:MaxRAM=" + mebibytes + "m");

    Outcome told =
        SampleJar.of("dl4j-iris.jar", folder)
            .program(MemoryLimits.class.getName(), Paths.get("target/test-classes"))
            .alone(options);

    double memory = mebibytes * 1024.0 * 1024.0;
    double heap = told.printed("heap");
    double arrays = told.printed("arrays");
    assertThat(heap / memory).isBetween(0.37, 0.41);
    assertThat(arrays).isEqualTo(heap);
    assertThat(told.printed("process") / memory).isBetween(0.81, 0.90);
    assertThat(told.printed("refused at")).isBetween(0.9 * arrays, arrays);
  }

  private static List<String> optionsOf(String runtime) throws IOException {
    try (Reader values = Files.newBufferedReader(VALUES)) {
      Map<String, Map<String, Map<String, List<String>>>> chart =
          new Yaml(new SafeConstructor(new LoaderOptions())).load(values);
      return chart.get("runtimes").get(runtime).get("javaToolOptions");
    }
  }
}
