package dev.waymark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.waymark.cli.Main;
import org.junit.jupiter.api.Test;

class ArchiveTrainingTest {

  /** It throws as soon as one of its commands fails. */
  @Test
  void allItsCommandsSucceed() {
    assertThatCode(() -> ArchiveTraining.main(new String[0])).doesNotThrowAnyException();
  }

  @Test
  void acommandIsLookedAtAloneUnlessAllAreAskedFor() {
    assertThat(Main.commandLine("list", "-A").getSubcommands()).containsOnlyKeys("list");
    assertThat(Main.commandLine("completion").getSubcommands())
        .containsKeys("run", "submit", "list", "completion");
    assertThat(Main.commandLine("lisst").getSubcommands()).containsKeys("run", "list");
  }
}
