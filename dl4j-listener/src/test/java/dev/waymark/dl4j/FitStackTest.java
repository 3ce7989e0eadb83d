package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.dl4j.FitStack.Call;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FitStackTest {
  private final FitStack fits = new FitStack();
  private final Object model = "a model";
  private final FittedRun run = new FittedRun("a model");

  @Test
  void ofNestedCallsForOneModelTheOutermostIsTheFit() {
    Call outer = fits.push(model, model, run, 0);
    Call inner = fits.push(model, model, run, 1);

    assertThat(outer.isNested()).isFalse();
    assertThat(inner.isNested()).isTrue();
    assertThat(fits.pop(model)).isSameAs(inner);
    assertThat(fits.pop(model)).isSameAs(outer);
    assertThat(fits.run()).isNull();
  }

  @Test
  void aModelThatIsTrainedWithinTheFitOfAnotherHasAFitOfItsOwn() {
    FittedRun ofOther = new FittedRun("another model");
    fits.push(model, model, run, 0);
    Call other = fits.push("another model", "another model", ofOther, 0);

    assertThat(other.isNested()).isFalse();
    assertThat(fits.run()).isSameAs(ofOther);
    fits.pop("another model");
    assertThat(fits.run()).isSameAs(run);
  }

  @Test
  void whateverAThreadTrainsThatHasJoinedAFitIsPartOfThat() throws Exception {
    fits.push(model, model, run, 1);
    CompletableFuture.runAsync(
            () -> {
              assertThat(fits.run()).isNull();
              fits.join("a worker", run);
              Call replica = fits.push("a replica", "a replica", new FittedRun("a replica"), 0);

              assertThat(replica.isNested()).isTrue();
              assertThat(fits.run()).isSameAs(run);
              fits.pop("a replica");
              assertThat(fits.pop("a worker").isNested()).isTrue();
              assertThat(fits.run()).isNull();
            })
        .get();
    assertThat(fits.pop(model)).isNotNull();
  }

  @Test
  void whatIsThrownIsNewToTheInnermostCallOnly() {
    Throwable thrown = new IllegalStateException();
    fits.push(model, model, run, 0);
    fits.push(model, model, run, 1);

    assertThat(fits.isFirstLeftBy(thrown)).isTrue();
    fits.pop(model);
    assertThat(fits.isFirstLeftBy(thrown)).isFalse();
    assertThat(fits.isFirstLeftBy(new IllegalStateException())).isTrue();
    fits.pop(model);
    assertThat(fits.isFirstLeftBy(thrown)).isFalse();
  }

  @Test
  void aCallWhoseEndWasMissedEndsWithTheOneAroundIt() {
    Call outer = fits.push(model, model, run, 0);
    fits.push("another model", "another model", new FittedRun("another model"), 0);

    assertThat(fits.pop(model)).isSameAs(outer);
    assertThat(fits.run()).isNull();
  }

  @Test
  void anEndWhoseBeginningWasNotSeenIsNone() {
    assertThat(fits.pop(model)).isNull();
    fits.push(model, model, run, 0);
    assertThat(fits.pop("another model")).isNull();
    assertThat(fits.run()).isSameAs(run);
  }
}
