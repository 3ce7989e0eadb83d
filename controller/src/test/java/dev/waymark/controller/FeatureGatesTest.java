package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureGatesTest {

  /** The flag wins over the file, the file over the default, a gate's own name over its stage. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, '', true",
        "TrainJobStatus: false, '', false",
        "AllAlpha: false, '', false",
        "TrainJobStatus: false, TrainJobStatus=true, true",
        "TrainJobStatus: true, TrainJobStatus=false, false",
        "TrainJobStatus: true, AllAlpha=false, true",
        "-, AllAlpha=false, false",
        "-, 'AllAlpha=false,TrainJobStatus=true', true",
        "-, AllBeta=false, true"
      })
  void flagWinsOverFileOverDefault(
      String inFile, String flag, boolean expected, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("configuration.yaml");
    Files.writeString(
        file,
        "apiVersion: config.trainer.kubeflow.org/v1alpha1\nkind: Configuration\n"
            + (inFile == null ? "" : "featureGates: {" + inFile + "}\n"));
    CommandLine commandLine =
        CommandLine.parse("--config", file.toString(), "--feature-gates=" + flag + " ")
            .orElseThrow();

    assertThat(ControllerMain.configuration(commandLine).featureGates().trainJobStatus())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"TrainJobStatuses=true", "TrainJobStatus", "TrainJobStatus=maybe", "=true"})
  void refusesWhatIsNotAGate(String flag) {
    assertThatThrownBy(() -> FeatureGates.parse(flag))
        .isInstanceOf(CommandLine.UsageException.class)
        .hasMessageContaining("--feature-gates");
  }

  @Test
  void readsAList() throws Exception {
    assertThat(FeatureGates.parse("AllAlpha=true, TrainJobStatus=False,"))
        .containsOnly(
            org.assertj.core.api.Assertions.entry("AllAlpha", true),
            org.assertj.core.api.Assertions.entry("TrainJobStatus", false));
  }
}
