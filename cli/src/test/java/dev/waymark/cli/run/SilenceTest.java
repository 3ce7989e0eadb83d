package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SilenceTest {

  @ParameterizedTest
  @CsvSource({
    "DISABLE_KUBEFLOW_INTEGRATION, TRUE, , DISABLE_KUBEFLOW_INTEGRATION is true",
    "WAYMARK_ENABLED, false, , WAYMARK_ENABLED is false",
    "WAYMARK_ENABLED, true, , Perhaps the program ended before it trained",
    "WAYMARK_RANK, 1, , 'WAYMARK_RANK=1, and only rank 0 reports'",
    "RANK, 3, , 'RANK=3, and only rank 0 reports'",
    "SLURM_PROCID, 12, , 'SLURM_PROCID=12, and only rank 0 reports'",
    "RANK, 0, , Perhaps the program",
    "OTHER, false, , it knows DJL and Deeplearning4j",
    "RANK, node-1, , Perhaps the program",
    "RANK, 3, its token is not good, its token is not good",
    "OTHER, false, its token is not good, its token is not good",
    "WAYMARK_ENABLED, false, its token is not good, its token is not good",
  })
  void namesTheLikelyReason(String variable, String value, String refusal, String reason) {
    assertThat(Silence.explain(Map.of(variable, value), Optional.ofNullable(refusal)))
        .contains(reason);
  }

  /** The reporter is none of the command's dependencies, so it is asked as a stranger. */
  @Test
  void asksForRanksAsTheReporterDoes() throws Exception {
    URL reporter = Path.of("../core-reporter/target/classes/").toUri().toURL();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {reporter}, ClassLoader.getPlatformClassLoader())) {
      Field variables = loader.loadClass("dev.waymark.reporter.Rank").getDeclaredField("VARIABLES");
      variables.setAccessible(true);

      assertThat(Silence.RANKS).isEqualTo(variables.get(null));
    }
  }

  @Test
  void waymarksOwnRankGoesBeforeTheOthers() {
    assertThat(Silence.explain(Map.of("WAYMARK_RANK", "0", "RANK", "3"), Optional.empty()))
        .contains("Perhaps the program");
  }
}
