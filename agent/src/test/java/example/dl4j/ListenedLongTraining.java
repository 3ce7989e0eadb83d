package example.dl4j;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.samediff.SameDiff;

/** Some of the long trainings with the listeners, which the program registers by hand. */
public final class ListenedLongTraining {
  private ListenedLongTraining() {}

  /** Makes as many iterations of each kind as the argument says. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);

    ComputationGraph graph = Networks.graph();
    graph.addListeners(ProgressListener.create());
    LongTraining.loop("graph.fit(batch), by hand", iterations, graph::fit);
    SameDiff instance = SameDiffTrainings.line();
    instance.addListeners(SameDiffProgressListener.create());
    LongTraining.loop("SameDiff.fit(batch), by hand", iterations, instance::fit);

    MultiLayerNetwork network = Networks.network();
    network.addListeners(ProgressListener.builder().totalEpochs(1).build());
    network.fit(new MeasuredBatches("network.fit(iterator), by hand", iterations));
  }
}
