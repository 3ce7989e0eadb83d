package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoticesTest {
  private final List<String> lines = new ArrayList<>();
  private final Notices notices = new Notices(lines::add);

  @Test
  void aTrainingNeedsNoWordAtTheEnd() {
    notices.loaded(Framework.DJL);
    notices.attached("DJL 0.36.0");
    notices.trained();
    notices.atExit();

    assertThat(lines).containsExactly("attached to DJL 0.36.0");
  }

  @Test
  void twoCopiesOfTheSameFrameworkAreOneLine() {
    notices.attached("DJL 0.36.0");
    notices.attached("DJL 0.36.0");
    notices.attached("DJL 0.38.0");

    assertThat(lines).containsExactly("attached to DJL 0.36.0", "attached to DJL 0.38.0");
  }

  @Test
  void aProgramWithoutAFrameworkHearsSoAtItsEnd() {
    notices.atExit();

    assertThat(lines).singleElement().asString().startsWith("no training with DJL or");
  }

  @ParameterizedTest
  @CsvSource({"DJL, DJL", "DL4J, Deeplearning4j", "SAMEDIFF, SameDiff"})
  void aProgramThatOnlyUsesAFrameworkHearsSoAtItsEnd(Framework framework, String name) {
    notices.loaded(framework);
    notices.atExit();

    assertThat(lines).containsExactly(name + " was loaded, but nothing was trained");
  }

  @Test
  void whoHeardThatTheAgentStandsAsideNeedsNoSecondLine() {
    notices.notAttached("DJL 9 has no ai.djl.training.Trainer.step()V");
    notices.atExit();

    assertThat(lines)
        .containsExactly(
            "not attached, the training runs without progress reports:"
                + " DJL 9 has no ai.djl.training.Trainer.step()V");
  }

  @Test
  void whoHeardThatTheAgentIsDetachedHearsNoneOfTheOthersAfterThat() {
    notices.loaded(Framework.DJL);
    notices.detached("ai.djl.training.EasyTrain can't be woven: it stores");
    notices.attached("DJL 0.36.0");
    notices.atExit();

    assertThat(lines)
        .containsExactly(
            "detached, the training goes on without progress reports:"
                + " ai.djl.training.EasyTrain can't be woven: it stores");
  }
}
