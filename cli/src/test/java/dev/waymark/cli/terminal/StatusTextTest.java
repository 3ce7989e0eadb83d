package dev.waymark.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainerStatus;
import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTextTest {

  @Test
  void saysAllOfAStatus() {
    StatusText text =
        new StatusText(
            status(
                42,
                65,
                "state",
                "running",
                "current_step",
                "120",
                "total_steps",
                "2400",
                "current_epoch",
                "3",
                "total_epochs",
                "10",
                "loss",
                "0.123456789",
                "learning_rate",
                "0.001",
                "train_accuracy",
                "0.9",
                "eval_accuracy",
                "0.96667",
                "gpu_0_utilization",
                "97"));

    assertThat(text.line())
        .isEqualTo(
            "42%, running, epoch 3/10, 1:05 left, loss 0.1235, lr 0.001,"
                + " eval_accuracy 0.9667, train_accuracy 0.9, gpu 97%");
    assertThat(text.step()).isEqualTo("step 120/2400");
  }

  @Test
  void saysNothingOfWhatIsUnknown() {
    assertThat(new StatusText(status(null, null)).line()).isEmpty();
    assertThat(new StatusText(status(null, null, "current_epoch", "3")).line())
        .isEqualTo("epoch 3");
    assertThat(new StatusText(new TrainerStatus(7, null, null, Instant.EPOCH)).line())
        .isEqualTo("7%");
  }

  @ParameterizedTest
  @CsvSource({
    ", , 7, step 7",
    ", 3, 7, epoch 3",
    "42, , 7, ''",
    ", , , ''",
  })
  void saysTheStepWhereNothingElseTellsHowFarItIs(
      Integer percent, String epoch, String step, String said) {
    List<String> metrics = new ArrayList<>();
    if (epoch != null) {
      metrics.addAll(List.of("current_epoch", epoch));
    }
    if (step != null) {
      metrics.addAll(List.of("current_step", step));
    }
    StatusText text = new StatusText(status(percent, null, metrics.toArray(String[]::new)));

    assertThat(text.epochOrStep()).isEqualTo(said);
    assertThat(text.line()).endsWith(said);
    assertThat(text.besideBar(80)).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5",
    "1234567, 1235000",
    "0.00012345, 0.0001235",
    "0.0000012345, 0.000001235",
    "0.00000012345, 1.235E-7",
    "0.0012345, 0.001235",
    "1e308, 1E+308",
    "1e999999999, 1E+999999999",
    "NaN, NaN",
    "-0.25, -0.25",
    "two, two",
  })
  void roundsFiguresAndNeverMakesThemLonger(String value, String shown) {
    assertThat(new StatusText(status(null, null, "loss", value)).figures())
        .isEqualTo("loss " + shown);
  }

  @Test
  void showsAFewFiguresOnly() {
    String[] many = new String[40];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = "train_m" + i;
      many[i + 1] = "1";
    }

    assertThat(new StatusText(status(null, null, many)).figures().split(", ")).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "eval_loss eval_accuracy train_loss train_accuracy grad_norm, eval_accuracy train_accuracy eval_loss train_loss",
    "grad_norm train_loss eval_loss eval_runtime, eval_loss eval_runtime grad_norm train_loss",
    "top_1_accuracy f1, top_1_accuracy f1",
  })
  void showsFirstWhatPeopleWaitFor(String names, String shown) {
    String metrics = names.replace(" ", " 1 ") + " 1";

    assertThat(new StatusText(status(null, null, metrics.split(" "))).figures())
        .isEqualTo(shown.replace(" ", " 1, ") + " 1");
  }

  @ParameterizedTest
  @CsvSource({
    "gpu_0_utilization 97, gpu 97%",
    "gpu_0_utilization 100 gpu_1_utilization 95.5 gpu_11_utilization 0, 3 gpus 65%",
    "gpu_0_utilization 7 npu_0_utilization 8 npu_1_utilization 10, 'gpu 7%, 2 npus 9%'",
    "gpu_0_utilization NaN gpu_1_utilization 1e999999999 gpu_2_utilization -1, ''",
    "gpu_0_memory_used_bytes 1024 gpu_0_utilization_max 3 gpu_utilization 4, ''",
  })
  void showsHowBusyAcceleratorsAre(String metrics, String shown) {
    assertThat(new StatusText(status(null, null, metrics.split(" "))).figures()).isEqualTo(shown);
  }

  @Test
  void countsTheColumnsOfWideAndCombiningCharacters() {
    StatusText text = new StatusText(status(null, null, "loss", "1", "精度", "2", "e\u0301", "3"));

    assertThat(text.figures(6)).isEqualTo("loss 1");
    assertThat(text.figures(13)).isEqualTo("loss 1, e\u0301 3");
    assertThat(text.figures(14)).isEqualTo("loss 1, 精度 2");
  }

  @Test
  void takesOutWhatCouldSpeakToTheTerminal() {
    StatusText text =
        new StatusText(
            status(
                1,
                null,
                "state",
                "run\u001b[2Jning\r\n",
                "a\u0007\u202e\u2028b\ud800",
                "1\u009b2"));

    assertThat(text.line()).isEqualTo("1%, run[2Jning , a b 12");
  }

  @ParameterizedTest
  @CsvSource({"0, 0 s", "59, 59 s", "65, 1:05", "3600, 1:00:00", "90061, 25:01:01"})
  void saysATime(int seconds, String said) {
    assertThat(StatusText.clock(Duration.ofSeconds(seconds))).isEqualTo(said);
  }

  static TrainerStatus status(Integer percent, Integer seconds, String... namesAndValues) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      metrics.add(new Metric(namesAndValues[i], namesAndValues[i + 1]));
    }
    return new TrainerStatus(percent, seconds, metrics, Instant.EPOCH);
  }
}
