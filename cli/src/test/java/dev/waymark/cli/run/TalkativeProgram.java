package dev.waymark.cli.run;

import dev.waymark.reporter.TrainingRun;

/** Reports more metrics, longer names and larger numbers than a status has room for. */
final class TalkativeProgram {
  private static final int METRICS = 300;
  private static final int EPOCHS = 2;
  private static final int STEPS_PER_EPOCH = 5;

  private TalkativeProgram() {}

  /** The argument says what the names of the metrics are made of. */
  public static void main(String[] args) {
    String word =
        switch (args[0]) {
          case "words" -> "a long name ";
          case "emoji" -> "\uD83D\uDE80";
          case "escapes" -> "\uD83D\uDE80\"\\\t\0\u009b";
          default -> throw new IllegalArgumentException(args[0]);
        };
    String longName = word.repeat(200 / word.length() + 1);
    try (TrainingRun run = TrainingRun.start()) {
      run.plan(EPOCHS, STEPS_PER_EPOCH);
      run.learningRate(1e-3);
      run.metric("accuracy", 0.9);
      run.metric("unheard of", 1e308);
      run.metric("not a number", Double.NaN);
      for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        for (int step = 0; step < STEPS_PER_EPOCH; step++) {
          run.step(0.25);
        }
        for (int metric = 0; metric < METRICS; metric++) {
          run.metric(longName + metric, metric % 50 == 0 ? Double.NaN : metric * 1e306);
        }
        run.epochEnded(epoch);
      }
      run.complete();
    }
  }
}
