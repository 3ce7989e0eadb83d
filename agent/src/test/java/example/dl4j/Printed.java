package example.dl4j;

import java.util.Arrays;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;

/** The program's own listener: prints each score, and the parameters when all is done. */
final class Printed extends BaseTrainingListener {
  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    Numbers.print("loss", model.score());
  }

  /** A network, with this listener alone. */
  static MultiLayerNetwork by(MultiLayerNetwork network) {
    network.setListeners(new Printed());
    return network;
  }

  static void parameters(Model model) {
    System.out.println("parameters " + Arrays.hashCode(model.params().toFloatVector()));
  }
}
