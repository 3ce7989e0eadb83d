package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Whatever stands in the environment, settings are read without a throw, and hold what they
 * promise. The inputs saved in {@code SettingsFuzzTestInputs}, one NAME=value a line, run in every
 * build; {@code JAZZER_FUZZ=1 mvn -pl core-reporter test -Dtest=SettingsFuzzTest} looks for more.
 */
class SettingsFuzzTest {
  @DictionaryEntries({
    "KUBEFLOW_TRAINER_SERVER_URL=https://",
    "KUBEFLOW_TRAINER_SERVER_CA_CERT=",
    "KUBEFLOW_TRAINER_SERVER_TOKEN=",
    "DISABLE_KUBEFLOW_INTEGRATION=true",
    "WAYMARK_ENABLED=",
    "WAYMARK_EPOCHS=",
    "WAYMARK_START_EPOCH=",
    "WAYMARK_INTERVAL=",
    "WAYMARK_LOG=",
    "WAYMARK_RANK=",
    "JOB_COMPLETION_INDEX=",
    "LOCAL_RANK="
  })
  @FuzzTest(maxDuration = "1m")
  void anyEnvironmentIsRead(byte[] lines) {
    Map<String, String> environment = new HashMap<>();
    for (String line : new String(lines, StandardCharsets.UTF_8).split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        environment.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }

    Settings settings = Settings.read(environment::get);

    if (settings.isOn()) {
      assertThat(settings.server().getScheme()).isEqualToIgnoringCase("https");
      assertThat(settings.server().getHost()).isNotEmpty();
      assertThat(
              new HttpsEndpoint(settings.server(), settings.tokenFile(), settings.caFile()).name())
          .startsWith("https://");
    } else if (settings.problems().isEmpty()) {
      assertThat(isWanted(environment)).isFalse();
    }
    assertThat(settings.epochs()).isNotNegative();
    assertThat(settings.startEpoch()).isNotNegative();
    assertThat(settings.interval()).isPositive();
    assertThat(settings.logLevel()).isNotNull();
    assertThat(settings.rank()).isNotNull();
    assertThat(settings.problems()).allSatisfy(problem -> assertThat(problem).hasSizeLessThan(700));
  }

  private static boolean isWanted(Map<String, String> environment) {
    String url = environment.getOrDefault(Settings.SERVER_URL, "");
    String disabled = environment.getOrDefault(Settings.DISABLED, "").strip();
    String enabled = environment.getOrDefault(Settings.ENABLED, "").strip();
    return !url.isBlank()
        && !disabled.equalsIgnoreCase("true")
        && !enabled.equalsIgnoreCase("false");
  }
}
