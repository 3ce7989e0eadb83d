package dev.waymark.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.waymark.trainer.api.TrainerStatus;
import java.util.Optional;

/**
 * Runs its corpus in every build; with {@code JAZZER_FUZZ=1 JAZZER_HOOKS=true} in the environment
 * and {@code -Dtest=StatusRequestDecoderFuzzTest} it looks for new inputs.
 */
class StatusRequestDecoderFuzzTest {

  @FuzzTest(maxDuration = "2m")
  void whatIsDecodedCanBeEchoedAndDecodedAgain(byte[] body) throws Exception {
    Optional<TrainerStatus> status;
    try {
      status = StatusRequestDecoder.decode(body);
    } catch (InvalidPayloadException e) {
      assertThat(e).hasMessageMatching("(?s).+");
      return;
    }
    if (status.isPresent()) {
      String echo = StatusAnswer.accepted(status.get()).body();
      assertThat(StatusRequestDecoder.decode(echo.getBytes(UTF_8))).isEqualTo(status);
      TrainerStatusLimits.violation("demo", status.get())
          .ifPresent(message -> assertThat(message).startsWith("TrainJob.trainer.kubeflow.org"));
    }
  }
}
