package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.listeners.Loss;

/** What is told of a loss by what an iteration says; a real session's part is the agent's test. */
class PrunedLossTest {
  private static final Object NO_SESSION = new Object();

  private final PrunedLoss loss = new PrunedLoss();

  @Test
  void aLossThatIsWorkedOutIsTheOneThatIsTold() {
    loss.iterationBegan(List.of("mse"), Map.of(), NO_SESSION);

    assertThat(loss.loss(new Loss(List.of("mse", "l2"), new double[] {0.5, 0.25}))).isEqualTo(0.75);
    assertThat(loss.canAsk()).isFalse();
  }

  @Test
  void aLossOfZeroIsNoLoss() {
    loss.iterationBegan(List.of("entropy"), Map.of(), NO_SESSION);

    assertThat(loss.loss(new Loss(List.of("entropy", "l2"), new double[] {0, 0.25}))).isNull();
  }

  @Test
  void whereThereIsNoSessionToLookIntoNothingIsAskedFor() {
    loss.iterationBegan(List.of("entropy"), Map.of(), NO_SESSION);
    loss.loss(new Loss(List.of("entropy"), new double[] {0}));
    Set<String> required = new HashSet<>();

    loss.iterationBegan(List.of("entropy"), Map.of(), NO_SESSION);
    loss.askFor(required);

    assertThat(loss.canAsk()).isFalse();
    assertThat(required).isEmpty();
    assertThat(loss.loss(new Loss(List.of("entropy"), new double[] {0}))).isNull();
  }

  @Test
  void anIterationThatHasThrownHasNoLoss() {
    loss.iterationBegan(List.of("entropy"), Map.of(), NO_SESSION);

    assertThat(loss.loss(null)).isNull();
  }
}
