package example.dl4j;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.earlystopping.EarlyStoppingConfiguration;
import org.deeplearning4j.earlystopping.scorecalc.DataSetLossCalculator;
import org.deeplearning4j.earlystopping.termination.MaxEpochsTerminationCondition;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.parallelism.EarlyStoppingParallelTrainer;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

/** Trainings of several threads, with a {@code ParallelWrapper} or with their own. */
final class ParallelTrainings {
  static final Map<String, Training> ALL = new LinkedHashMap<>();

  static {
    ALL.put("parallel", ParallelTrainings::parallel);
    ALL.put("parallel-network", ParallelTrainings::parallelNetwork);
    ALL.put("parallel-stopped", ParallelTrainings::parallelStopped);
    ALL.put("parallel-fails", ParallelTrainings::parallelFails);
    ALL.put("two-threads", ParallelTrainings::twoThreads);
    ALL.put("shared-gradients", ParallelTrainings::sharedGradients);
    ALL.put("second-model-ends-later", ParallelTrainings::secondModelEndsLater);
    ALL.put("two-models-on-threads", ParallelTrainings::twoModelsOnThreads);
    ALL.put("parallel-printing", ParallelTrainings::parallelPrinting);
    ALL.put("parallel-listener-throws", ParallelTrainings::parallelListenerThrows);
    ALL.put("early-parallel", ParallelTrainings::earlyParallel);
  }

  private ParallelTrainings() {}

  private static void parallel() {
    ParallelWrapper wrapper = wrapper(Networks.graph(), 2);
    for (int i = 0; i < 3; i++) {
      wrapper.fit(Data.points());
    }
    wrapper.shutdown();
  }

  private static void parallelNetwork() {
    ParallelWrapper wrapper = wrapper(Networks.network(), 2);
    for (int i = 0; i < 2; i++) {
      wrapper.fit(Data.points());
    }
    wrapper.shutdown();
  }

  private static void parallelPrinting() {
    ParallelWrapper wrapper = wrapper(Printed.by(Networks.network()), 2);
    for (int i = 0; i < 2; i++) {
      wrapper.fit(Data.points());
    }
    wrapper.shutdown();
  }

  /** One epoch, and of the next one as much as both workers do at a time. */
  private static void parallelStopped() {
    ParallelWrapper wrapper = wrapper(Networks.network(), 0);
    wrapper.fit(Data.points());
    wrapper.fit(
        new ListDataSetIterator<>(Data.batches(), 1) {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized DataSet next() {
            wrapper.stopFit();
            return super.next();
          }
        });
    wrapper.shutdown();
  }

  /** Each worker makes an iteration, then the first makes one more and the second fails. */
  private static void parallelFails() {
    List<DataSet> batches = Data.batches();
    batches.set(3, new DataSet(Nd4j.zeros(16, 5), Nd4j.zeros(16, 3)));
    ParallelWrapper wrapper = wrapper(Networks.network(), 0);
    try {
      wrapper.fit(new ListDataSetIterator<>(batches, 1));
    } catch (RuntimeException e) {
      System.out.println("caught");
    }
  }

  /** Once only: a second fit of the same wrapper never ends (1.0.0-M2.1). */
  private static void sharedGradients() {
    ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(Networks.network())
            .workers(2)
            .trainingMode(ParallelWrapper.TrainingMode.SHARED_GRADIENTS)
            .build();
    wrapper.fit(Data.points());
    wrapper.shutdown();
  }

  /** Each worker makes an iteration, then the first makes one more and the second's throws. */
  private static void parallelListenerThrows() {
    MultiLayerNetwork network = Networks.network();
    AtomicInteger ofSecond = new AtomicInteger();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            boolean second = Thread.currentThread().getName().endsWith(" 1");
            if (second && ofSecond.incrementAndGet() == 2) {
              throw new IllegalStateException("thrown by the second");
            }
          }
        });
    try {
      wrapper(network, 0).fit(Data.points());
    } catch (RuntimeException e) {
      System.out.println("caught");
    }
  }

  private static void earlyParallel() {
    var result =
        new EarlyStoppingParallelTrainer<>(
                new EarlyStoppingConfiguration.Builder<MultiLayerNetwork>()
                    .epochTerminationConditions(new MaxEpochsTerminationCondition(3))
                    .scoreCalculator(new DataSetLossCalculator(Data.points(), true))
                    .build(),
                Networks.network(),
                Data.points(),
                null,
                2,
                2,
                1)
            .fit();
    result.getScoreVsEpoch().values().forEach(score -> Numbers.print("score", score));
  }

  private static ParallelWrapper wrapper(Model network, int prefetched) {
    return new ParallelWrapper.Builder<>(network)
        .workers(2)
        .averagingFrequency(1)
        .prefetchBuffer(prefetched)
        .build();
  }

  /** The second thread waits within its fit for that of the first. */
  private static void twoThreads() throws Exception {
    MultiLayerNetwork network = Printed.by(Networks.network());
    Thread second = new Thread(() -> network.fit(Data.points()));
    network.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 0) {
              second.start();
              while (second.isAlive() && second.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
              }
            }
          }
        });
    network.fit(Data.points());
    second.join();
    Printed.parameters(network);
  }

  /** The second is trained from beginning to end while the first is in the midst of its fit. */
  private static void twoModelsOnThreads() {
    MultiLayerNetwork second = Networks.network(new Adam(0.01));
    Thread other = new Thread(() -> second.fit(Data.points(), 4));
    MultiLayerNetwork first = Printed.by(Networks.network());
    first.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 7) {
              other.start();
              join(other);
            }
          }
        });
    first.fit(Data.points(), 3);
    Printed.parameters(first);
    Printed.parameters(second);
  }

  /** The second begins within the fit of the first, and most of its own comes after that. */
  private static void secondModelEndsLater() throws Exception {
    CountDownLatch firstHasEnded = new CountDownLatch(1);
    MultiLayerNetwork second = Printed.by(Networks.network(new Adam(0.01)));
    second.addListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 3) {
              await(firstHasEnded);
            }
          }
        });
    Thread other = new Thread(() -> second.fit(Data.points(), 4));
    MultiLayerNetwork first = Networks.network();
    first.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int now, int epoch) {
            if (now == 0) {
              other.start();
              while (second.getIterationCount() < 3) {
                Thread.onSpinWait();
              }
            }
          }
        });
    first.fit(Data.points(), 2);
    firstHasEnded.countDown();
    other.join();
    Printed.parameters(first);
    Printed.parameters(second);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
