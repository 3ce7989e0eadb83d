package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Reports the progress of a Deeplearning4j training to the Kubeflow Trainer: state, iterations,
 * epochs, remaining time, score, learning rate, and what an {@code EvaluativeListener} before it
 * has evaluated.
 *
 * <pre>{@code
 * network.addListeners(ProgressListener.builder().totalEpochs(20).build());
 * network.fit(iterator, 20);
 * }</pre>
 *
 * <p>It belongs at the end of the list, since what an earlier listener throws keeps the event from
 * the later ones. {@code setListeners} replaces it. It works for a {@code MultiLayerNetwork} and a
 * {@code ComputationGraph}, with early stopping, and in a {@code ParallelWrapper}, whose replicas
 * count together. For a {@code SameDiff} there is {@link SameDiffProgressListener}.
 *
 * <p>A listener is told neither how many epochs are planned nor how a training ended. So the run is
 * over when another network is trained, a minute after its last epoch or iteration if what is
 * planned is done or nothing is, or when the JVM ends: completed, if what is planned is done, by
 * {@code WAYMARK_EPOCHS} or as it was told, or where nothing is planned. A training that stops
 * short of its plan may go on at any time, so it stays running: it is stopped early when another
 * network is trained, and interrupted when the JVM ends. So is one that an exception has ended
 * which the program catches, but for a further fit, which shows that it was stopped early too. The
 * agent sees more; with it, this listener is not needed.
 *
 * <p>Outside a TrainJob it does nothing. It never throws, takes no lock that is held for long, and
 * keeps neither arrays nor networks alive. One listener may serve several networks, in turn. Such
 * as are trained batch by batch count as trained at once, as those of a GAN are, until the first is
 * over: for networks in turn take a listener each.
 */
public final class ProgressListener implements TrainingListener {
  /** How Deeplearning4j 1.0.0-M2.1 names the threads that train replicas. */
  private static final String WORKER = "ParallelWrapper training thread";

  private final ModelFigures figures = new ModelFigures();
  private final ListenedTrainings<Object> trainings;

  private ProgressListener(Supplier<ListenedTraining> newTraining) {
    trainings = new ListenedTrainings<>(newTraining);
  }

  /** Creates a listener that isn't told how much is planned. */
  public static ProgressListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static ListenerBuilder<ProgressListener> builder() {
    return new ListenerBuilder<>(ProgressListener::new);
  }

  /** {@inheritDoc} */
  @Override
  public void onEpochStart(Model model) {
    Fault.guard(() -> trainingOf(model).epochBegan(ModelFigures.counters(model)));
  }

  /** {@inheritDoc} */
  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    try {
      ListenedTraining training = trainingOf(model);
      Due due = training.step(model.score(), new Counters(iteration, epoch));
      figures.tell(due, model, training);
      if (due != Due.NOTHING) {
        tellEvaluations(model, training);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /** {@inheritDoc} */
  @Override
  public void onEpochEnd(Model model) {
    Fault.guard(
        () -> {
          ListenedTraining training = trainingOf(model);
          tellEvaluations(model, training);
          training.epochEnded();
        });
  }

  private void tellEvaluations(Model model, ListenedTraining training) {
    for (TrainingListener other : listeners(model)) {
      if (other instanceof EvaluativeListener) {
        figures.tellEvaluations((EvaluativeListener) other, training::metric);
      }
    }
  }

  /** {@inheritDoc} */
  @Override
  public void onForwardPass(Model model, List<INDArray> activations) {}

  /** {@inheritDoc} */
  @Override
  public void onForwardPass(Model model, Map<String, INDArray> activations) {}

  /** {@inheritDoc} */
  @Override
  public void onGradientCalculation(Model model) {}

  /** {@inheritDoc} */
  @Override
  public void onBackwardPass(Model model) {}

  /**
   * A replica belongs to the network that it replicates, wherever that was seen; a layer that is
   * pretrained to the network that was seen last.
   */
  private ListenedTraining trainingOf(Model model) {
    ListenedTraining same = trainings.ifLatest(model);
    if (same != null) {
      return same;
    }
    if (isWorker()) {
      ListenedTraining known = trainings.known(model);
      return known != null ? known : trainings.join(model, trainings.of(trainedByThisWorker()));
    }
    ListenedTraining latest = trainings.latest();
    return latest == null || isNetwork(model) ? trainings.of(model) : latest;
  }

  /** The network; the listener itself where it can't be known, so that all workers count as one. */
  private Object trainedByThisWorker() {
    Model network = WrappedNetwork.ofThisThread();
    return network == null ? this : network;
  }

  private static boolean isNetwork(Model model) {
    return model instanceof MultiLayerNetwork || model instanceof ComputationGraph;
  }

  private static boolean isWorker() {
    return Thread.currentThread().getName().startsWith(WORKER);
  }

  private static Iterable<TrainingListener> listeners(Model model) {
    if (model instanceof MultiLayerNetwork) {
      return ((MultiLayerNetwork) model).getListeners();
    }
    return model instanceof ComputationGraph
        ? ((ComputationGraph) model).getListeners()
        : List.of();
  }
}
