package example.dl4j;

import dev.waymark.dl4j.ProgressListener;
import dev.waymark.dl4j.SameDiffProgressListener;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.autodiff.samediff.SameDiff;

/** Some of the long trainings with the listeners, which the program registers by hand. */
public final class ListenedLongTraining {
  private ListenedLongTraining() {}

  /** Makes as many iterations as the first argument says, in the way that the second names. */
  public static void main(String[] arguments) {
    int iterations = Integer.parseInt(arguments[0]);
    String way = arguments[1];
    MeasuredBatches batches = new MeasuredBatches(way + ", by hand", iterations);
    switch (way) {
      case "graph.fit(batch)":
        ComputationGraph graph = Networks.graph();
        graph.addListeners(ProgressListener.create());
        batches.forEachRemaining(graph::fit);
        break;
      case "SameDiff.fit(batch)":
        SameDiff instance = SameDiffTrainings.line();
        instance.addListeners(SameDiffProgressListener.create());
        batches.forEachRemaining(instance::fit);
        break;
      case "network.fit(iterator)":
        MultiLayerNetwork network = Networks.network();
        network.addListeners(ProgressListener.builder().totalEpochs(1).build());
        network.fit(batches);
        break;
      default:
        throw new IllegalArgumentException(way);
    }
  }
}
