package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.cli.history.RunHistory;
import dev.waymark.cli.history.RunSummary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRunTest {

  @TempDir Path folder;

  @Test
  void isNotAmongTheRunsThatGoOnWhenNoEndpointCanBeOpened() throws Exception {
    RunOptions options =
        new RunOptions(folder.resolve("agent.jar"), folder)
            .withTokenLifetime(Duration.ofSeconds(Long.MAX_VALUE)); // such a token can't be made

    assertThatThrownBy(() -> LocalRun.ofCommand(List.of("true"), options).run())
        .isInstanceOf(RuntimeException.class);

    assertThat(RunHistory.open(folder).runs())
        .singleElement()
        .extracting(RunSummary::exitCode)
        .isEqualTo(LocalRun.OWN_FAILURE);
  }
}
