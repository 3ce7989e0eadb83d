package dev.waymark.dl4j;

import dev.waymark.dl4j.FitStack.Call;
import dev.waymark.reporter.Fault;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.deeplearning4j.earlystopping.EarlyStoppingResult;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.layers.IOutputLayer;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;

/**
 * Reports the networks of a program that knows nothing of it: the agent calls it from its hooks,
 * which lie at the entry and exit of everything that fits a {@code MultiLayerNetwork} or a {@code
 * ComputationGraph}, and where an iteration is done.
 *
 * <p>No listener is put among the program's own, so these may be set, replaced and cloned as the
 * program likes. A run is that of one network, however it is trained: directly, by an early
 * stopping trainer, or by a {@code ParallelWrapper}, whose replicas count as the network that they
 * replicate.
 *
 * <p>Keeps no network alive. Every method may be called from any thread, returns at once, and never
 * throws. Where a method takes what the hooked call threw, that is null after a normal return; the
 * caller throws it on.
 */
public final class ModelFits {
  private static final Set<String> NETWORKS =
      Set.of(MultiLayerNetwork.class.getName(), ComputationGraph.class.getName());

  private final WeakIdentityMap<Object, FittedRun> runs = new WeakIdentityMap<>();
  private final FitStack fits = new FitStack();
  private final ModelFigures figures = new ModelFigures();

  /** Creates it for one copy of Deeplearning4j. */
  public ModelFits() {}

  /** A network's constructor has returned. */
  public void created(Model network) {
    Fault.guard(() -> runOf(network));
  }

  /** {@code fit(iterator, epochs)} was entered. */
  public void fitBegan(Model network, Object iterator, int epochs) {
    Fault.guard(() -> began(network, 0, () -> FitPlan.epochs(epochs, length(network, iterator))));
  }

  /** {@code fit(iterator)} was entered. */
  public void epochBegan(Model network, Object iterator) {
    Fault.guard(() -> began(network, 1, () -> FitPlan.epochs(1, length(network, iterator))));
  }

  /** A fit of a single batch, or a pretraining with one, was entered. */
  public void batchBegan(Model network) {
    try {
      if (!fits.beginsAgain(network)) {
        began(network, 0, FitPlan::batch);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /** {@code pretrain(iterator, epochs)} was entered. */
  public void pretrainingBegan(Model network, Object iterator, int epochs) {
    Fault.guard(
        () -> {
          int layers = (int) Arrays.stream(layers(network)).filter(ModelFits::pretrains).count();
          int passes = passes(network, epochs);
          began(network, 0, () -> FitPlan.pretraining(passes, layers, IteratorLength.of(iterator)));
        });
  }

  /**
   * {@code pretrainLayer} with an iterator was entered.
   *
   * @param layer its index, or its name in a graph
   * @param epochs passes over the data
   */
  public void layerBegan(Model network, Object layer, Object iterator, int epochs) {
    Fault.guard(
        () -> {
          int passes = pretrains(layer(network, layer)) ? passes(network, epochs) : 0;
          // Early stopping pretrains each batch by itself, and tells its epochs otherwise.
          int told = fits.earlyStopping() == null ? passes : 0;
          began(network, told, () -> FitPlan.pretraining(passes, 1, IteratorLength.of(iterator)));
        });
  }

  /** The {@code fit()} or {@code pretrain()} of an early stopping trainer was entered. */
  public void earlyStoppingBegan(Object trainer) {
    Fault.guard(
        () -> {
          Model network = (Model) PrivateField.read(trainer, "model");
          FittedRun run = runOf(network);
          Call call = fits.push(trainer, network, run, 0);
          EarlyStopping watched = new EarlyStopping(trainer, run);
          call.setEarlyStopping(watched);
          run.fitBegan(watched.plan(length(network, watched.iterator())), () -> Counters.ZERO);
          call.setFit();
          watched.standIn(); // last: where that fails it costs the scores, and not the training
        });
  }

  /**
   * That {@code fit()} has ended.
   *
   * @param result what it returns; null if it has thrown
   */
  public void earlyStoppingEnded(Object trainer, EarlyStoppingResult<?> result, Throwable thrown) {
    Fault.guard(
        () -> {
          Call call = fits.pop(trainer);
          if (call != null && call.earlyStopping() != null) {
            Outcome outcome = call.earlyStopping().ended(result);
            if (call.isFit()) {
              call.run().fitEnded(outcome, thrown);
            }
          }
        });
  }

  /**
   * An epoch of an early stopping trainer has ended, and its evaluation begins, if it has one.
   *
   * @param epoch the number of it, 0 for the first
   */
  public void earlyStoppingEpochEnded(int epoch) {
    Fault.guard(
        () -> {
          EarlyStopping earlyStopping = fits.earlyStopping();
          if (earlyStopping != null) {
            fits.run().epochsEnded(1);
            if (earlyStopping.isEvaluatedAfter(epoch)) {
              fits.run().evaluating();
            }
          }
        });
  }

  /** {@code ParallelWrapper.fit(iterator)} was entered. */
  public void parallelFitBegan(Object wrapper, Object iterator) {
    Fault.guard(
        () -> {
          Model network = WrappedNetwork.of(wrapper);
          FittedRun run = runOf(network);
          Call call = fits.push(wrapper, network, run, 1);
          if (!call.isNested()) {
            FitPlan plan = FitPlan.epochs(1, length(network, iterator));
            run.fitBegan(plan, () -> ModelFigures.counters(network));
            call.setFit();
          }
        });
  }

  /**
   * That call has ended. One that was stopped is no epoch, unless that happened in its last
   * iterations.
   */
  public void parallelFitEnded(Object wrapper, Throwable thrown) {
    Fault.guard(
        () -> {
          Call call = fits.pop(wrapper);
          if (call != null) {
            boolean whole = !WrappedNetwork.isStopped(wrapper) || call.run().isEpochFull();
            ended(call, whole ? call.epochs() : 0, thrown);
          }
        });
  }

  /** A thread of a {@code ParallelWrapper} begins to train its replica of the network. */
  public void workerBegan(Object worker) {
    Fault.guard(
        () -> {
          Object wrapper = PrivateField.read(worker, "parallelWrapper");
          fits.join(worker, runOf(WrappedNetwork.of(wrapper)));
        });
  }

  /**
   * A call whose beginning was told has ended.
   *
   * @param subject the network or worker that was told then
   */
  public void ended(Object subject, Throwable thrown) {
    try {
      if (thrown != null || !fits.endsAgain(subject)) {
        endedByItself(subject, thrown);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  private void endedByItself(Object subject, Throwable thrown) {
    try {
      if (thrown != null && subject instanceof Model && fits.isFirstLeftBy(thrown)) {
        leftBy(thrown, (Model) subject);
      }
    } finally {
      // Whatever goes wrong: a call that stays would be around all that its thread does.
      Call call = fits.pop(subject);
      if (call != null) {
        ended(call, call.epochs(), thrown);
        if (thrown == null && call.run().isInLoop()) {
          fits.keepForLoop(call);
        }
      }
    }
  }

  private void leftBy(Throwable thrown, Model network) {
    if (!ThrownByListener.isIn(thrown, "optimize")) {
      return;
    }
    if (isInPretraining(thrown)) {
      fits.run().step(null); // the score is the layer's, which isn't told here
    } else {
      iterationDone(network);
    }
  }

  private static boolean isInPretraining(Throwable thrown) {
    return Arrays.stream(thrown.getStackTrace())
        .dropWhile(frame -> !frame.getMethodName().equals("optimize"))
        .filter(frame -> NETWORKS.contains(frame.getClassName()))
        .findFirst()
        .map(frame -> frame.getMethodName().startsWith("pretrain"))
        .orElse(false);
  }

  private static void ended(Call call, int epochs, Throwable thrown) {
    if (thrown == null) {
      call.run().epochsEnded(epochs);
    }
    if (call.isFit()) {
      call.run().fitEnded(thrown);
    }
  }

  /**
   * An iteration is done: the network is updated, its listeners have been told.
   *
   * @param model the network, a replica of it, or the layer that is pretrained
   */
  public void iterationDone(Model model) {
    try {
      FittedRun run = fits.run();
      if (run != null) {
        figures.tell(run.step(model.score()), model, run);
      }
    } catch (Throwable fault) {
      Fault.tell(fault);
    }
  }

  /** A network is about to be evaluated. */
  public void evaluationBegan(Model network) {
    Fault.guard(
        () -> {
          FittedRun run = runEvaluatedWith(network);
          if (run != null) {
            run.evaluating();
          }
        });
  }

  /** That evaluation has ended. */
  public void evaluationEnded(Model network) {
    Fault.guard(
        () -> {
          FittedRun run = runEvaluatedWith(network);
          if (run != null) {
            run.evaluated();
          }
        });
  }

  /** Within a fit, whatever network is evaluated, it is for that. */
  private FittedRun runEvaluatedWith(Model network) {
    FittedRun training = fits.run();
    return training == null ? runs.get(network) : training;
  }

  /** A listener that evaluates at its own pace was called, and may have done so. */
  public void mayHaveEvaluated(EvaluativeListener listener) {
    Fault.guard(
        () -> {
          FittedRun run = fits.run();
          if (run != null) {
            figures.tellEvaluations(listener, run::metric);
          }
        });
  }

  private void began(Model network, int epochs, Supplier<FitPlan> plan) {
    FittedRun run = runOf(network);
    Call call = fits.push(network, network, run, epochs);
    if (!call.isNested()) {
      FitPlan next = plan.get();
      if (next.trains()) {
        run.fitBegan(next, () -> ModelFigures.counters(network));
        call.setFit();
      }
    }
  }

  private FittedRun runOf(Model network) {
    return runs.computeIfAbsent(
        network,
        () ->
            new FittedRun(
                network instanceof ComputationGraph
                    ? "DL4J ComputationGraph"
                    : "DL4J MultiLayerNetwork"));
  }

  /** Iterations in an epoch; a batch of truncated BPTT is several, how many its data tells. */
  private static long length(Model network, Object iterator) {
    return backpropType(network) == BackpropType.TruncatedBPTT ? 0 : IteratorLength.of(iterator);
  }

  /** Null if it is neither kind of network, which early stopping can do with. */
  private static BackpropType backpropType(Model network) {
    if (network instanceof ComputationGraph) {
      return ((ComputationGraph) network).getConfiguration().getBackpropType();
    }
    return network instanceof MultiLayerNetwork
        ? ((MultiLayerNetwork) network).getLayerWiseConfigurations().getBackpropType()
        : null;
  }

  private static Layer[] layers(Model network) {
    return network instanceof ComputationGraph
        ? ((ComputationGraph) network).getLayers()
        : ((MultiLayerNetwork) network).getLayers();
  }

  private static Layer layer(Model network, Object indexOrName) {
    return network instanceof ComputationGraph
        ? ((ComputationGraph) network).getLayer((String) indexOrName)
        : ((MultiLayerNetwork) network).getLayer((Integer) indexOrName);
  }

  /** A graph of 1.0.0-M2.1 makes one pass for each layer, whatever it is told. */
  private static int passes(Model network, int epochs) {
    return network instanceof ComputationGraph ? 1 : epochs;
  }

  private static boolean pretrains(Layer layer) {
    return layer.isPretrainLayer() && !(layer instanceof IOutputLayer);
  }
}
