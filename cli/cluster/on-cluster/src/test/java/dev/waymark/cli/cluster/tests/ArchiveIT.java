package dev.waymark.cli.cluster.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes, made and used with the built command as the launcher does. */
class ArchiveIT {

  private static final String JAR =
      Path.of("../target/waymark-cli-cluster.jar").toAbsolutePath().normalize().toString();
  private static final String FROM_ARCHIVE = "shared objects file";

  @TempDir Path folder;

  @Test
  void aCommandFindsItsClassesInTheArchive() throws Exception {
    Path archive = folder.resolve("classes.jsa");
    Path classes = folder.resolve("classes");
    java(
        "-XX:DumpLoadedClassList=" + classes,
        "-cp",
        JAR,
        "dev.waymark.cli.cluster.ArchiveTraining");
    java(
        "-Xshare:dump",
        "-XX:SharedClassListFile=" + classes,
        "-XX:SharedArchiveFile=" + archive,
        "-cp",
        JAR);
    Path loaded = folder.resolve("loaded");
    try (TrainJobsOnFakeApiServer cluster = new TrainJobsOnFakeApiServer(folder)) {
      cluster.runtime("rt");
      cluster.trainJob("demo", "");
      cluster.pod("demo", 0, "{phase: Running}");
      assertThat(
              java(
                  "-XX:SharedArchiveFile=" + archive,
                  "-Xlog:class+load=info:file=" + loaded,
                  "-jar",
                  JAR,
                  "list",
                  "-o",
                  "name",
                  "--kubeconfig=" + cluster.kubeconfig()))
          .isEqualTo("trainjob.trainer.kubeflow.org/demo\n");
    }
    // Picocli's are of a format that not every kind of archive takes.
    assertThat(Files.readAllLines(loaded))
        .filteredOn(it -> it.contains(" dev.waymark.") || it.contains(" picocli."))
        .filteredOn(it -> !it.contains("Lambda"))
        .hasSizeGreaterThan(150)
        .allSatisfy(it -> assertThat(it).contains(FROM_ARCHIVE));
  }

  /** The launcher's options. */
  private static String java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xlog:disable"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
