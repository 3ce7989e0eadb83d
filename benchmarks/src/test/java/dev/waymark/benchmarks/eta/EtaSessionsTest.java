package dev.waymark.benchmarks.eta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtaSessionsTest {
  private static final int SESSIONS = 200;

  /** None of these seeds is one that the docs show. */
  @ParameterizedTest
  @ValueSource(longs = {17, 4711, 20261129})
  void waymarkErrsAtMost60PercentAsMuchAsHuggingFace(long seed) {
    SessionGenerator generator = new SessionGenerator(seed);
    double ours = 0;
    double theirs = 0;
    for (int i = 0; i < SESSIONS; i++) {
      Session session = generator.next();
      ours += EtaError.ofWaymark(session);
      theirs += EtaError.ofHuggingFace(session);
    }
    assertThat(ours).isLessThanOrEqualTo(0.6 * theirs);
  }

  @Test
  void aSeedTellsItsSessions() {
    SessionGenerator one = new SessionGenerator(3);
    SessionGenerator same = new SessionGenerator(3);
    SessionGenerator other = new SessionGenerator(4);
    for (int i = 0; i < 20; i++) {
      Session session = one.next();
      assertThat(session).isEqualTo(same.next()).isNotEqualTo(other.next());
    }
  }

  @Test
  void sessionsKeepWithinWhatIsDrawnFrom() {
    SessionGenerator generator = new SessionGenerator(5);
    int resumed = 0;
    int evaluated = 0;
    for (int i = 0; i < 1000; i++) {
      Session session = generator.next();
      assertThat(session.end()).isGreaterThanOrEqualTo(60);
      assertThat(session.startStep() + session.steps()).isBetween(300, 3000);
      assertThat(session.startStep()).isLessThanOrEqualTo(session.steps());
      double before = 0;
      for (int step = 0; step < session.steps(); step++) {
        assertThat(session.stepEnds()[step]).isGreaterThan(before);
        before = session.stepEnds()[step] + session.pauses()[step];
      }
      resumed += session.startStep() > 0 ? 1 : 0;
      evaluated += DoubleStream.of(session.pauses()).anyMatch(p -> p > 0) ? 1 : 0;
    }
    assertThat(resumed).isBetween(250, 400);
    assertThat(evaluated).isBetween(450, 650);
  }

  @Test
  void errorsAreThoseOfTheRule() {
    double[] stepEnds = IntStream.rangeClosed(1, 100).mapToDouble(i -> i).toArray();

    Session steady = new Session(0, stepEnds, new double[100]);
    assertThat(EtaError.ofWaymark(steady)).isZero();
    assertThat(EtaError.ofHuggingFace(steady)).isZero();

    // Resumed at half: Hugging Face's formula divides this session's time by all steps.
    Session resumed = new Session(100, stepEnds, new double[100]);
    assertThat(EtaError.ofWaymark(resumed)).isZero();
    double expected =
        IntStream.rangeClosed(6, 95)
            .mapToDouble(i -> 1 - Math.floor((double) i / (100 + i) * (100 - i)) / (100 - i))
            .average()
            .orElseThrow();
    assertThat(EtaError.ofHuggingFace(resumed)).isCloseTo(100 * expected, within(1e-9));
  }
}
