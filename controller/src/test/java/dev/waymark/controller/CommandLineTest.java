package dev.waymark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.controller.CommandLine.UsageException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

  @Test
  void hasADefaultForEverything() throws Exception {
    assertThat(CommandLine.parse())
        .contains(
            new CommandLine(
                Optional.empty(),
                "",
                Optional.empty(),
                Optional.empty(),
                Path.of("/tmp/k8s-webhook-server/serving-certs"),
                new Logging(Logging.Format.PLAIN, Logging.Level.INFO)));
  }

  @Test
  void takesEveryFlag() throws Exception {
    assertThat(
            CommandLine.parse(
                "--config",
                "a.yaml",
                "--feature-gates=TrainJobStatus=false",
                "--kubeconfig",
                "k",
                "--operator-namespace",
                "ops",
                "--cert-dir=certs",
                "--log-format",
                "json",
                "--log-level=debug"))
        .contains(
            new CommandLine(
                Optional.of(Path.of("a.yaml")),
                "TrainJobStatus=false",
                Optional.of(Path.of("k")),
                Optional.of("ops"),
                Path.of("certs"),
                new Logging(Logging.Format.JSON, Logging.Level.DEBUG)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--config a.yaml", "--config=a.yaml", "-config a.yaml", "-config=a.yaml"})
  void takesFlagsInEverySpellingOfGo(String arguments) throws Exception {
    assertThat(CommandLine.parse(arguments.split(" ", -1)).orElseThrow().configuration())
        .contains(Path.of("a.yaml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h"})
  void offersHelp(String flag) throws Exception {
    assertThat(CommandLine.parse(flag)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--confg a.yaml,unknown flag --confg; --help lists those there are",
    "a.yaml,unexpected argument \"a.yaml\": everything is given by flags",
    "--config,--config needs a value",
    "--config=,--config needs a value",
    "--log-format xml,'--log-format must be plain or json, not \"xml\"'",
    "--log-level loud,'--log-level must be error, warn, info or debug, not \"loud\"'"
  })
  void saysWhatIsWrong(String arguments, String message) {
    assertThatThrownBy(() -> CommandLine.parse(arguments.split(" ", -1)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message);
  }

  @Test
  void saysAllThatIsWrong() {
    assertThatThrownBy(() -> CommandLine.parse("--a", "--b", "c"))
        .hasMessageContainingAll("--a", "--b", "\"c\"");
  }
}
