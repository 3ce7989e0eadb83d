package dev.waymark.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What a program gets onto its class path with the agent, and what stays hidden from it. */
class AgentJarIT {

  @Test
  void theProgramSeesNoMoreThanTheBridge() throws IOException {
    assertThat(files())
        .filteredOn(name -> !name.startsWith("inst/") && !name.startsWith("META-INF/"))
        .containsExactlyInAnyOrder(
            "dev/waymark/agent/Activation.class",
            "dev/waymark/agent/AgentClassLoader.class",
            "dev/waymark/agent/Bridge.class",
            "dev/waymark/agent/Log.class",
            "dev/waymark/agent/WaymarkAgent.class");
  }

  @Test
  void theAgentBringsAllItNeedsAndItsLicences() throws IOException {
    assertThat(files())
        .contains(
            "inst/dev/waymark/reporter/TrainingRun.class",
            "inst/dev/waymark/djl/TrainerProgress.class",
            "inst/dev/waymark/agent/djl/DjlSide.class",
            "inst/dev/waymark/dl4j/ModelFits.class",
            "inst/dev/waymark/dl4j/SameDiffFits.class",
            "inst/dev/waymark/agent/dl4j/Dl4jSide.class",
            "inst/dev/waymark/agent/dl4j/SameDiffSide.class",
            "inst/dev/waymark/agent/weave/references-djl.txt",
            "inst/dev/waymark/agent/weave/references-dl4j.txt",
            "inst/dev/waymark/agent/weave/references-samediff.txt",
            "inst/dev/waymark/agent/weave/woven/ai.djl.training.Trainer",
            "inst/dev/waymark/agent/weave/woven/ai.djl.training.EasyTrain",
            "inst/org/objectweb/asm/ClassReader.class",
            "META-INF/LICENSE",
            "META-INF/NOTICE",
            "META-INF/licenses/ASM.txt")
        .noneMatch(
            name ->
                name.matches(
                    ".*(ai/djl/|org/nd4j/|org/deeplearning4j/|dev/waymark/agent/build/).*"));
  }

  @Test
  void nothingGoesOnTheBootstrapPath() throws IOException {
    try (JarFile jar = new JarFile(Program.agent().toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(manifest.getValue("Premain-Class")).isEqualTo("dev.waymark.agent.WaymarkAgent");
      assertThat(manifest.getValue("Launcher-Agent-Class"))
          .isEqualTo("dev.waymark.agent.WaymarkAgent");
      assertThat(manifest.getValue("Boot-Class-Path")).isNull();
    }
  }

  private static List<String> files() throws IOException {
    try (JarFile jar = new JarFile(Program.agent().toFile())) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    }
  }
}
