package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static final String URL =
      "https://trainer.kubeflow-system.svc:10443/apis/trainer.kubeflow.org/v1alpha1/namespaces/a/trainjobs/b/status";

  private final Map<String, String> environment =
      new HashMap<>(
          Map.of(
              "KUBEFLOW_TRAINER_SERVER_URL", URL,
              "KUBEFLOW_TRAINER_SERVER_CA_CERT", "/var/run/secrets/kubeflow/trainer/ca.crt",
              "KUBEFLOW_TRAINER_SERVER_TOKEN", "/var/run/secrets/kubeflow/trainer/token"));

  @Test
  void areThoseOfATrainJob() {
    Settings settings = settings();

    assertThat(settings.isOn()).isTrue();
    assertThat(settings.server()).isEqualTo(URI.create(URL));
    assertThat(settings.caFile()).isEqualTo(Path.of("/var/run/secrets/kubeflow/trainer/ca.crt"));
    assertThat(settings.tokenFile()).isEqualTo(Path.of("/var/run/secrets/kubeflow/trainer/token"));
    assertThat(settings.epochs()).isZero();
    assertThat(settings.startEpoch()).isZero();
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.logLevel()).isEqualTo(Log.Level.INFO);
    assertThat(settings.rank().isLeader()).isTrue();
    assertThat(settings.problems()).isEmpty();
  }

  @Test
  void areThoseThatTheUserSet() {
    environment.put("WAYMARK_EPOCHS", " 12 ");
    environment.put("WAYMARK_START_EPOCH", "3");
    environment.put("WAYMARK_INTERVAL", "1");
    environment.put("WAYMARK_LOG", "Debug");
    environment.put("WAYMARK_RANK", "4");

    Settings settings = settings();

    assertThat(settings.epochs()).isEqualTo(12);
    assertThat(settings.startEpoch()).isEqualTo(3);
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.logLevel()).isEqualTo(Log.Level.DEBUG);
    assertThat(settings.rank()).hasToString("4 (WAYMARK_RANK)");
    assertThat(settings.problems()).isEmpty();
  }

  @Test
  void areOffAndSilentOutsideATrainJob() {
    environment.clear();
    environment.put("WAYMARK_EPOCHS", "ten");

    Settings settings = settings();

    assertThat(settings.isOn()).isFalse();
    assertThat(settings.server()).isNull();
    assertThat(settings.caFile()).isNull();
    assertThat(settings.tokenFile()).isNull();
    assertThat(settings.problems()).isEmpty();
  }

  @ParameterizedTest(name = "{0}={1}: on {2}")
  @CsvSource({
    "DISABLE_KUBEFLOW_INTEGRATION, TRUE,  false",
    "DISABLE_KUBEFLOW_INTEGRATION, true,  false",
    "DISABLE_KUBEFLOW_INTEGRATION, tRuE,  false",
    "DISABLE_KUBEFLOW_INTEGRATION, false, true",
    "DISABLE_KUBEFLOW_INTEGRATION, 1,     true",
    "DISABLE_KUBEFLOW_INTEGRATION, '',    true",
    "WAYMARK_ENABLED,              false, false",
    "WAYMARK_ENABLED,              FALSE, false",
    "WAYMARK_ENABLED,              true,  true",
    "WAYMARK_ENABLED,              True,  true",
    "WAYMARK_ENABLED,              ' ',   true",
    "KUBEFLOW_TRAINER_SERVER_URL,  ' ',   false"
  })
  void canBeSwitchedOff(String name, String value, boolean on) {
    environment.put(name, value);
    assertThat(settings().isOn()).isEqualTo(on);
    assertThat(settings().problems()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http://host/status        | no https URL
          host:10443                | no https URL
          https://ho st/status      | "https://ho st/status"; it should be an https URL
          https:///status           | no valid host name
          https://host:99999/status | no valid port
          status                    | no https URL
          """)
  void areOffWithABadServer(String url, String problem) {
    environment.put("KUBEFLOW_TRAINER_SERVER_URL", url);

    Settings settings = settings();

    assertThat(settings.isOn()).isFalse();
    assertThat(settings.problems())
        .singleElement()
        .asString()
        .startsWith("KUBEFLOW_TRAINER_SERVER_URL")
        .contains(problem)
        .endsWith("; nothing is reported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://user:secret@host/status", "https://user:sec ret@host/status"})
  void doNotTellAPassword(String url) {
    environment.put("KUBEFLOW_TRAINER_SERVER_URL", url);
    assertThat(settings().isOn()).isFalse();
    assertThat(settings().problems())
        .singleElement()
        .asString()
        .doesNotContain("sec")
        .contains("host");
  }

  @Test
  void areOffWithACaThatCannotBeAPath() {
    environment.put("KUBEFLOW_TRAINER_SERVER_CA_CERT", "ca\0.crt");
    assertThat(settings().isOn()).isFalse();
    assertThat(settings().problems())
        .singleElement()
        .asString()
        .contains("KUBEFLOW_TRAINER_SERVER_CA_CERT", "PEM file", "nothing is reported");
  }

  @Test
  void mayDoWithoutACaOfItsOwn() {
    environment.remove("KUBEFLOW_TRAINER_SERVER_CA_CERT");
    assertThat(settings().isOn()).isTrue();
    assertThat(settings().caFile()).isNull();
    assertThat(settings().problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "eyJ\0secret"})
  void stayOnWithoutATokenAndNeverTellIt(String value) {
    environment.put("KUBEFLOW_TRAINER_SERVER_TOKEN", value);
    assertThat(settings().isOn()).isTrue();
    assertThat(settings().tokenFile()).isNull();
    assertThat(settings().problems())
        .singleElement()
        .asString()
        .startsWith("KUBEFLOW_TRAINER_SERVER_TOKEN is not")
        .doesNotContain("secret");
  }

  @Test
  void aStartBeyondThePlanIsTold() {
    environment.put("WAYMARK_EPOCHS", "3");
    environment.put("WAYMARK_START_EPOCH", "5");

    assertThat(settings().problems())
        .containsExactly(
            "WAYMARK_START_EPOCH is \"5\"; it should be 0 to 3, which is WAYMARK_EPOCHS;"
                + " how long the training is counts as unknown");
  }

  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WAYMARK_EPOCHS      | ten        | a whole number, 1 or more; it is ignored
          WAYMARK_EPOCHS      | 0          | a whole number, 1 or more; it is ignored
          WAYMARK_EPOCHS      | 2.5        | a whole number, 1 or more; it is ignored
          WAYMARK_EPOCHS      | 3000000000 | a whole number, 1 or more; it is ignored
          WAYMARK_START_EPOCH | -1         | a whole number, 0 or more; it is ignored
          WAYMARK_RANK        | leader     | a whole number, 0 or more; it is ignored
          WAYMARK_INTERVAL    | 0          | a whole number, 1 to 3600; it counts as 5
          WAYMARK_INTERVAL    | 5s         | a whole number, 1 to 3600; it counts as 5
          WAYMARK_INTERVAL    | 3601       | a whole number, 1 to 3600; it counts as 5
          WAYMARK_LOG         | verbose    | off, warn, info or debug; it counts as info
          WAYMARK_ENABLED     | yes        | true or false; it counts as true
          """)
  void takeTheDefaultForABadValueAndSayWhatWouldBeRight(String name, String value, String told) {
    environment.put(name, value);

    Settings settings = settings();

    assertThat(settings.problems())
        .containsExactly(name + " is \"" + value + "\"; it should be " + told);
    assertThat(settings.isOn()).isTrue();
    assertThat(settings.epochs()).isZero();
    assertThat(settings.startEpoch()).isZero();
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.logLevel()).isEqualTo(Log.Level.INFO);
    assertThat(settings.rank().isLeader()).isTrue();
  }

  @Test
  void listAllProblemsAtOnce() {
    environment.put("KUBEFLOW_TRAINER_SERVER_URL", "http://host");
    environment.remove("KUBEFLOW_TRAINER_SERVER_TOKEN");
    environment.put("WAYMARK_EPOCHS", "-3");
    environment.put("WAYMARK_INTERVAL", "soon");
    environment.put("WAYMARK_LOG", "loud");

    assertThat(settings().problems()).hasSize(5);
  }

  @Test
  void cutALongValue() {
    environment.put("WAYMARK_LOG", "x".repeat(5000));
    assertThat(settings().problems().get(0)).hasSizeLessThan(250).contains("xxx...");
  }

  @Test
  void knowTheLimitsOfTheInterval() {
    environment.put("WAYMARK_INTERVAL", "3600");
    assertThat(settings().interval()).isEqualTo(Duration.ofHours(1));
    assertThat(settings().problems()).isEmpty();
  }

  @Test
  void ofThisJvmTakeThePropertyBeforeTheVariable() {
    assertThat(Settings.ofThisJvm("PATH")).isEqualTo(System.getenv("PATH")).isNotBlank();
    System.setProperty("path", "by property");
    System.setProperty("waymark.start.epoch", "7");
    try {
      assertThat(Settings.ofThisJvm("PATH")).isEqualTo("by property");
      assertThat(Settings.ofThisJvm("WAYMARK_START_EPOCH")).isEqualTo("7");
    } finally {
      System.clearProperty("path");
      System.clearProperty("waymark.start.epoch");
    }
    assertThat(Settings.ofThisJvm("WAYMARK_START_EPOCH")).isNull();
  }

  private Settings settings() {
    return Settings.read(environment::get);
  }
}
