package dev.waymark.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The images that the module beside this one made, read back and started. */
@EnabledOnOs(OS.LINUX)
class ImagesIT {

  private static final Path CONTROLLER = Path.of("../../../controller/target");
  private static final Path AGENT = Path.of("../../../agent/target/waymark-agent.jar");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jre",
        "jre-training",
        "waymark-controller",
        "waymark-agent",
        "djl-iris",
        "dl4j-iris"
      })
  void aSecondBuildInAnotherFolderGivesTheSameDigest(String name) throws IOException {
    List<String> digests = ImageTar.digests(name);

    assertThat(digests.get(0)).startsWith("sha256:").isEqualTo(digests.get(1));
  }

  @ParameterizedTest
  @CsvSource({
    "waymark-controller, 65532:65532, /waymark",
    "waymark-agent, 65532:65532, /",
    "djl-iris, 1000:1000, /tmp",
    "dl4j-iris, 1000:1000, /tmp"
  })
  void javaIsTheFirstProcessOfAUserWhoIsNotRoot(String name, String user, String workingFolder)
      throws IOException {
    ImageTar image = ImageTar.of(name);

    assertThat(image.entrypoint()).first().isEqualTo("java");
    assertThat(image.user()).isEqualTo(user);
    assertThat(image.workingFolder()).isEqualTo(workingFolder);
    assertThat(image.environment())
        .containsEntry("PATH", "/opt/java/bin")
        .containsEntry("LANG", "C.UTF-8");
    assertThat(image.configuration().path("os").asText()).isEqualTo("linux");
    assertThat(image.configuration().path("architecture").asText())
        .isEqualTo(System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64");
    assertThat(image.configuration().path("created").asText()).isEqualTo("2026-11-29T00:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(strings = {"waymark-controller", "waymark-agent", "djl-iris", "dl4j-iris"})
  void allFilesAreRootsAndOnlyTmpIsForEverybody(String name) throws IOException {
    Map<String, TarArchiveEntry> entries = ImageTar.of(name).entries();

    assertThat(entries.values())
        .allSatisfy(
            entry -> {
              assertThat(entry.getLongUserId()).as(entry.getName()).isZero();
              assertThat(entry.getLongGroupId()).as(entry.getName()).isZero();
              assertThat(entry.getLastModifiedTime().toMillis())
                  .as(entry.getName())
                  .isEqualTo(1000);
            });
    assertThat(entries.keySet().stream().filter(path -> (entries.get(path).getMode() & 022) != 0))
        .containsExactly("/tmp/");
    assertThat(entries)
        .doesNotContainKeys("/bin/sh", "/usr/bin/sh", "/bin/busybox")
        .containsKeys("/opt/java/bin/java", "/etc/passwd");
  }

  @ParameterizedTest
  @ValueSource(strings = {"waymark-controller", "waymark-agent", "djl-iris", "dl4j-iris"})
  void whatIsInsideIsNamedWithItsLicence(String name) throws IOException {
    UnpackedImage image = new UnpackedImage(ImageTar.of(name), folder);

    JsonNode project = bom(image.file("/usr/share/doc/waymark/sbom.cdx.json"));
    JsonNode base = bom(image.file("/usr/share/doc/waymark-base.cdx.json"));
    assertThat(names(base)).contains("OpenJDK", "libc6", "zlib1g");
    for (JsonNode bom : List.of(project, base)) {
      assertThat(bom.path("components"))
          .isNotEmpty()
          .allSatisfy(
              part ->
                  assertThat(part.path("licenses")).as(part.path("name").asText()).isNotEmpty());
    }
    assertThat(image.file("/usr/share/doc/waymark/LICENSE")).isNotEmptyFile();
    assertThat(image.file("/usr/share/doc/waymark/NOTICE")).isNotEmptyFile();
    assertThat(image.file("/opt/java/legal/java.base/LICENSE")).isNotEmptyFile();
    try (Stream<Path> packages = Files.list(image.file("/var/lib/dpkg/status.d"))) {
      assertThat(packages)
          .isNotEmpty()
          .allSatisfy(
              it ->
                  assertThat(image.file("/usr/share/doc/" + it.getFileName() + "/copyright"))
                      .isNotEmptyFile());
    }
  }

  @Test
  void theBomOfTheControllerNamesAllItsJars() throws IOException {
    UnpackedImage image = new UnpackedImage(ImageTar.of("waymark-controller"), folder);
    JsonNode bom = bom(image.file("/usr/share/doc/waymark/sbom.cdx.json"));
    List<String> named = new ArrayList<>();
    bom.path("components").forEach(part -> named.add(jar(part)));

    try (Stream<Path> jars = Files.list(image.file("/waymark/lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString())).isNotEmpty().isSubsetOf(named);
    }
  }

  /** As Maven names it; a classifier, as those of native libraries, is told in the part's URL. */
  private static String jar(JsonNode part) {
    Matcher classifier =
        Pattern.compile("[?&]classifier=([^&]+)").matcher(part.path("purl").asText());
    return part.path("name").asText()
        + "-"
        + part.path("version").asText()
        + (classifier.find() ? "-" + classifier.group(1) : "")
        + ".jar";
  }

  @Test
  void theControllerStartsWithItsClassesFromTheArchive() throws Exception {
    ImageTar tar = ImageTar.of("waymark-controller");
    UnpackedImage image = new UnpackedImage(tar, folder);
    assertThat(tar.environment()).containsEntry("MALLOC_ARENA_MAX", "1");
    assertThat(image.file("/waymark/waymark-controller.options"))
        .hasSameTextualContentAs(CONTROLLER.resolve("waymark-controller.options"))
        .content()
        .containsPattern("(?m)^-XX:MaxRAMPercentage=\\d+$");

    assertThat(image.start("--help").output())
        .contains("The Waymark controller")
        .doesNotContain("WARN");

    List<String> command = new ArrayList<>(tar.entrypoint());
    // With "on" a JVM that can't use the archive doesn't start.
    command.addAll(command.indexOf("-jar"), List.of("-Xshare:on", "-Xlog:class+load:stdout"));
    command.add("--help");
    UnpackedImage.Outcome outcome = image.run(command);
    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .containsPattern("dev\\.waymark\\.controller\\.ControllerMain source: shared objects file")
        .doesNotContainPattern("dev\\.waymark\\.\\S+ source: (?!shared)");
  }

  @Test
  void theAgentCopiesItself() throws Exception {
    UnpackedImage image = new UnpackedImage(ImageTar.of("waymark-agent"), folder);
    Path volume = Files.createDirectories(image.file("/opt/waymark"));

    UnpackedImage.Outcome outcome = image.start("/opt/waymark");

    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.status()).isZero();
    assertThat(volume.resolve("waymark-agent.jar")).hasSameBinaryContentAs(AGENT);
    // Where it lies if a cluster mounts the image itself at /opt/waymark.
    assertThat(image.file("/waymark-agent.jar")).hasSameBinaryContentAs(AGENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"djl-iris", "dl4j-iris"})
  void theSamplesTrain(String name) throws Exception {
    UnpackedImage image = new UnpackedImage(ImageTar.of(name), folder);

    UnpackedImage.Outcome outcome =
        image.run(
            List.of(
                "java",
                "-DDJL_OFFLINE=true",
                "-DOPT_OUT_TRACKING=true",
                "-Duser.home=/tmp",
                "-jar",
                "/" + name + ".jar",
                "listener",
                "--epochs",
                "3"));

    assertThat(outcome.status()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("Accuracy on the 30 rows held out: ");
  }

  private static JsonNode bom(Path file) throws IOException {
    JsonNode bom = new ObjectMapper().readTree(file.toFile());
    assertThat(bom.path("bomFormat").asText()).isEqualTo("CycloneDX");
    return bom;
  }

  private static List<String> names(JsonNode bom) {
    List<String> names = new ArrayList<>();
    bom.path("components").forEach(part -> names.add(part.path("name").asText()));
    return names;
  }
}
