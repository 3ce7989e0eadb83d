package dev.waymark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThinningTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # points            | max | what stays
          1 2 3               | 3   | 1 2 3
          1 2 3 4             | 2   | 1 4
          0 1 2 3 4 5 6 7 8 9 | 6   | 0 2 4 6 8 9
          0 1 2 3 4 5 6 7 8 9 | 5   | 0 4 8 9
          0 1 2 3 90 100      | 4   | 0 2 90 100
          7 8 9 10 11         | 4   | 7 9 11
          5 5 5 5             | 3   | 5
          3 2 1               | 2   | 3 1
          """)
  void keepsTheEndsAndTheFirstOfEachStretch(String points, int max, String expected) {
    assertThat(Thinning.evenly(numbers(points), max, Long::longValue)).isEqualTo(numbers(expected));
  }

  @Test
  void aGrowingCurveThatIsThinnedAgainAndAgainIsAsEvenAsOneThatIsThinnedOnce() {
    List<Long> points = new ArrayList<>();
    for (long next = 0; next < 100_000; next++) {
      points.add(next);
      if (points.size() > 100) {
        points = new ArrayList<>(Thinning.evenly(points, 50, Long::longValue));
      }
    }
    List<Long> all = LongStream.range(0, 100_000).boxed().toList();
    assertThat(points)
        .hasSizeBetween(25, 100)
        .containsAll(Thinning.evenly(all, 50, Long::longValue));
  }

  private static List<Long> numbers(String text) {
    return Stream.of(text.split(" ", -1)).map(Long::valueOf).toList();
  }
}
