package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainJobKeyTest {

  @ParameterizedTest
  @CsvSource({
    "team-a,  demo,         true",
    "1,       0,            true",
    "team-a,  demo.v1-b.c2, true",
    "team.a,  demo,         false",
    "Team,    demo,         false",
    "team-a,  Demo,         false",
    "-a,      demo,         false",
    "a-,      demo,         false",
    "team-a,  demo.,        false",
    "team-a,  .demo,        false",
    "team-a,  de..mo,       false",
    "team-a,  demo_1,       false",
    "'',      demo,         false",
    "team-a,  '',           false",
    "team-a,  ?watch=true,  false",
    "team-a,  de/mo,        false",
    "team-a,  de%mo,        false",
    "team-a,  ..,           false",
    "team-a,  d\u00e9mo,    false"
  })
  void tellsNamesThatKubernetesCouldHave(String namespace, String name, boolean possible) {
    assertThat(new TrainJobKey(namespace, name).isPossible()).isEqualTo(possible);
  }

  @ParameterizedTest
  @CsvSource({"63, 253, true", "64, 253, false", "63, 254, false"})
  void tellsNamesThatAreTooLong(int namespace, int name, boolean possible) {
    TrainJobKey key = new TrainJobKey("n".repeat(namespace), "t".repeat(name));

    assertThat(key.isPossible()).isEqualTo(possible);
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo\n", "\ndemo"})
  void takesNoLineBreaks(String name) {
    assertThat(new TrainJobKey("team-a", name).isPossible()).isFalse();
  }
}
