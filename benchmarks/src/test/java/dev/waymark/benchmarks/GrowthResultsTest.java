package dev.waymark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.benchmarks.ResultFile.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthResultsTest {
  @Test
  void aLineIsFourFiguresOfOneWay() {
    assertThat(
            GrowthResults.series(
                List.of("12880000,11760000,362300000,362900000,graph.fit(batch), by hand")))
        .containsExactly(
            new Series("graph.fit(batch), by hand", "heap", "MB", List.of(12.88)),
            new Series("graph.fit(batch), by hand", "heap at the end", "MB", List.of(11.76)),
            new Series("graph.fit(batch), by hand", "process", "MB", List.of(362.3)),
            new Series("graph.fit(batch), by hand", "process at the end", "MB", List.of(362.9)));
  }
}
