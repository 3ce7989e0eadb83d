package dev.waymark.dl4j;

import dev.waymark.reporter.Fault;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * over when another network is trained, a minute after its last epoch or iteration, or when the JVM
 * ends: completed, if what is planned is done, by {@code WAYMARK_EPOCHS} or as it was told, or
 * where nothing is planned. The agent sees more; with it, this listener is not needed.
 *
 * <p>Outside a TrainJob it does nothing. It never throws, takes no lock that is held for long, and
 * keeps neither arrays nor networks alive. One listener may serve several networks, in turn.
 */
public final class ProgressListener implements TrainingListener {
  /** How Deeplearning4j 1.0.0-M2.1 names the threads that train replicas. */
  private static final String WORKER = "ParallelWrapper training thread";

  private final int totalEpochs;
  private final long batchesPerEpoch;
  private final ModelFigures figures = new ModelFigures();
  private final WeakIdentityMap<Model, ListenedTraining> trainings = new WeakIdentityMap<>();

  /** As old as the listener: two that were made up front are for networks trained at once. */
  private final ListenedTraining first;

  private final AtomicBoolean firstIsTaken = new AtomicBoolean();
  private volatile Latest latest;

  private ProgressListener(Builder builder) {
    totalEpochs = builder.totalEpochs;
    batchesPerEpoch = builder.batchesPerEpoch;
    first = new ListenedTraining(totalEpochs, batchesPerEpoch);
  }

  /** Creates a listener that isn't told how much is planned. */
  public static ProgressListener create() {
    return builder().build();
  }

  /** Creates a builder for a listener that is told more. */
  public static Builder builder() {
    return new Builder();
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
      figures.tell(
          trainingOf(model).step(model.score(), new Counters(iteration, epoch), isWorker()), model);
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
          for (TrainingListener other : listeners(model)) {
            if (other instanceof EvaluativeListener) {
              figures.tellEvaluations((EvaluativeListener) other, training::metric);
            }
          }
          training.epochEnded();
        });
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

  /** Replicas, and layers that are pretrained, belong to the network that was seen last. */
  private ListenedTraining trainingOf(Model model) {
    Latest before = latest;
    if (before != null && (before.model.get() == model || !isNetwork(model) || isWorker())) {
      return before.training;
    }
    ListenedTraining training =
        trainings.computeIfAbsent(
            model,
            () ->
                firstIsTaken.getAndSet(true)
                    ? new ListenedTraining(totalEpochs, batchesPerEpoch)
                    : first);
    latest = new Latest(model, training);
    return training;
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

  private static final class Latest {
    private final WeakReference<Model> model;
    private final ListenedTraining training;

    Latest(Model model, ListenedTraining training) {
      this.model = new WeakReference<>(model);
      this.training = training;
    }
  }

  /** Builds a {@link ProgressListener}. */
  public static final class Builder {
    private int totalEpochs;
    private long batchesPerEpoch;

    private Builder() {}

    /**
     * Tells how many epochs the training has in all; those that a restored network has behind it
     * count. The setting {@code WAYMARK_EPOCHS} wins over it.
     *
     * @param totalEpochs 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder totalEpochs(int totalEpochs) {
      this.totalEpochs = (int) Positive.check("totalEpochs", totalEpochs);
      return this;
    }

    /**
     * Tells how many batches an epoch has, so that the progress is known from the first one on.
     *
     * @param batchesPerEpoch 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder batchesPerEpoch(long batchesPerEpoch) {
      this.batchesPerEpoch = Positive.check("batchesPerEpoch", batchesPerEpoch);
      return this;
    }

    /** Builds the listener. */
    public ProgressListener build() {
      return new ProgressListener(this);
    }
  }
}
