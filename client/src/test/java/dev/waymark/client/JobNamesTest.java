package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobNamesTest {

  @Test
  void areALetterAndElevenHexadecimalDigits() {
    Random random = new Random(1);
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String name = JobNames.random(random);
      assertThat(name).matches("[a-z][0-9a-f]{11}");
      names.add(name);
    }
    assertThat(names).hasSize(1000);
  }
}
