package dev.waymark.samples.dl4j;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Trains on Fisher's iris data, in one of five ways that Deeplearning4j programs are written. */
public final class Main {
  private static final String USAGE =
      "usage: java -jar dl4j-iris.jar [mln|cg|samediff|listener|resume] [--epochs N] [--patience N]"
          + " [--models DIR]\n"
          + "  mln       MultiLayerNetwork with early stopping and a model saver (the default)\n"
          + "  cg        ComputationGraph with ParallelWrapper\n"
          + "  samediff  SameDiff\n"
          + "  listener  MultiLayerNetwork with Waymark's listener\n"
          + "  resume    MultiLayerNetwork that trains on with the model that it saved last time\n"
          + "  --epochs N    how often to go through the data in all, 1 to 9999 (default 600)\n"
          + "  --patience N  mln: give up after N epochs that brought nothing better (default"
          + " 9999)\n"
          + "  --models DIR  where mln and resume keep their model (default iris-models)\n";

  private static final List<String> PROGRAMS =
      Arrays.asList("mln", "cg", "samediff", "listener", "resume");

  private String program = PROGRAMS.get(0);
  private int epochs = 600;
  private int patience = 9999;
  private Path models = Paths.get("iris-models");

  private Main() {}

  /**
   * Runs the program that the first argument names; exit code 2 for arguments that make no sense.
   */
  public static void main(String[] args) throws Exception {
    Main main = new Main();
    try {
      main.parse(Arrays.asList(args).iterator());
    } catch (IllegalArgumentException e) {
      System.err.print("dl4j-iris: " + e.getMessage() + "\n" + USAGE);
      System.exit(2);
    }
    long begin = System.nanoTime();
    double accuracy = main.train();
    System.out.printf(Locale.ROOT, "Trained in %.3f s%n", (System.nanoTime() - begin) / 1e9);
    System.out.printf(Locale.ROOT, "Accuracy on the 30 rows held out: %.1f %%%n", 100 * accuracy);
  }

  private double train() throws Exception {
    switch (program) {
      case "cg":
        return IrisGraph.train(epochs);
      case "samediff":
        return IrisSameDiff.train(epochs);
      case "listener":
        return IrisListener.train(epochs);
      case "resume":
        return IrisResume.train(epochs, models);
      default:
        return IrisEarlyStopping.train(epochs, patience, models);
    }
  }

  private void parse(Iterator<String> args) {
    boolean first = true;
    for (; args.hasNext(); first = false) {
      String arg = args.next();
      if (arg.equals("--epochs")) {
        epochs = number(arg, args);
      } else if (arg.equals("--patience")) {
        patience = number(arg, args);
      } else if (arg.equals("--models")) {
        models = Paths.get(value(arg, args));
      } else if (first && PROGRAMS.contains(arg)) {
        program = arg;
      } else {
        throw new IllegalArgumentException("don't know what to do with '" + arg + "'");
      }
    }
  }

  private static int number(String option, Iterator<String> args) {
    String text = value(option, args);
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException(
          option + " must be a whole number from 1 to 9999, got '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private static String value(String option, Iterator<String> args) {
    if (!args.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return args.next();
  }
}
