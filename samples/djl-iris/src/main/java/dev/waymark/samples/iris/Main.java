package dev.waymark.samples.iris;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Trains on Fisher's iris data, in one of three ways that DJL programs are written. */
public final class Main {
  private static final String USAGE =
      "usage: java -jar djl-iris.jar [easytrain|loop|listener] [--epochs N] [--checkpoints DIR]\n"
          + "  easytrain  DJL's EasyTrain.fit (the default)\n"
          + "  loop       a training loop written by hand\n"
          + "  listener   EasyTrain.fit with Waymark's listener, and checkpoints to resume from\n"
          + "  --epochs N         how often to go through the data, 1 to 9999 (default 900)\n"
          + "  --checkpoints DIR  where listener keeps its checkpoint (default iris-checkpoints)\n";

  private static final List<String> PROGRAMS = Arrays.asList("easytrain", "loop", "listener");

  private String program = PROGRAMS.get(0);
  private int epochs = 900;
  private Path checkpoints = Paths.get("iris-checkpoints");

  static {
    // For arrays as small as these PyTorch is faster on one thread than on several.
    if (System.getProperty("ai.djl.pytorch.num_threads") == null) {
      System.setProperty("ai.djl.pytorch.num_threads", "1");
    }
  }

  private Main() {}

  /**
   * Runs the program that the first argument names; exit code 2 for arguments that make no sense.
   */
  public static void main(String[] args) throws Exception {
    Main main = new Main();
    try {
      main.parse(Arrays.asList(args).iterator());
    } catch (IllegalArgumentException e) {
      System.err.print("djl-iris: " + e.getMessage() + "\n" + USAGE);
      System.exit(2);
    }
    long begin = System.nanoTime();
    float accuracy = main.train();
    System.out.printf(Locale.ROOT, "Trained in %.3f s%n", (System.nanoTime() - begin) / 1e9);
    System.out.printf(Locale.ROOT, "Accuracy on the 30 rows held out: %.1f %%%n", 100 * accuracy);
  }

  private float train() throws Exception {
    switch (program) {
      case "loop":
        return IrisLoop.train(epochs);
      case "listener":
        return IrisListener.train(epochs, checkpoints);
      default:
        return IrisEasyTrain.train(epochs);
    }
  }

  private void parse(Iterator<String> args) {
    boolean first = true;
    for (; args.hasNext(); first = false) {
      String arg = args.next();
      if (arg.equals("--epochs")) {
        epochs = number(value(arg, args));
      } else if (arg.equals("--checkpoints")) {
        checkpoints = Paths.get(value(arg, args));
      } else if (first && PROGRAMS.contains(arg)) {
        program = arg;
      } else {
        throw new IllegalArgumentException("don't know what to do with '" + arg + "'");
      }
    }
  }

  private static String value(String option, Iterator<String> args) {
    if (!args.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return args.next();
  }

  private static int number(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException(
          "--epochs must be a whole number from 1 to 9999, got '" + text + "'");
    }
    return Integer.parseInt(text);
  }
}
