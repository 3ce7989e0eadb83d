package example.dl4j;

import java.util.Arrays;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/** The program's own listener: prints each score, and the parameters when all is done. */
final class Printed extends BaseTrainingListener {
  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    number("loss", model.score());
  }

  /** Bit for bit, and alike on every JDK: decimal digits are not (since 19). */
  static void number(String name, double value) {
    System.out.println(name + " " + Double.toHexString(value));
  }

  static void parameters(Model model) {
    System.out.println("parameters " + Arrays.hashCode(model.params().toFloatVector()));
  }
}
