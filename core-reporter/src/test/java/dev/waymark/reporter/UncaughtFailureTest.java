package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UncaughtFailureTest {
  private static final EndingExceptions ENDINGS =
      EndingExceptions.of(List.of("java.lang.ArithmeticException"), List.of());

  private final RuntimeException failure = new IllegalStateException("the training dies");
  private final List<Throwable> handedOn = new ArrayList<>();
  private final UncaughtExceptionHandler programs = (died, thrown) -> handedOn.add(thrown);
  private final LiveRun live = newRun();
  private final TrainingRun run = reported(live);

  @Test
  void endsTheRunAndHandsOnToTheThreadsHandler() throws InterruptedException {
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          throw failure;
        });

    assertThat(handedOn).containsExactly(failure);
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void asksWhatTheExceptionMeans() throws InterruptedException {
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          throw new ArithmeticException("early");
        });

    assertThat(live.snapshot().state()).isEqualTo(RunState.STOPPED_EARLY);
  }

  @Test
  void theThreadsOwnHandlerIsKnownBehindIt() throws InterruptedException {
    List<UncaughtExceptionHandler> known = new ArrayList<>();
    inThread(
        programs,
        () -> {
          known.add(UncaughtFailure.handlerOfProgram());
          UncaughtFailure.watch(run, ENDINGS);
          known.add(UncaughtFailure.handlerOfProgram());
          Thread.currentThread().setUncaughtExceptionHandler(null);
          UncaughtFailure.watch(run, ENDINGS);
          known.add(UncaughtFailure.handlerOfProgram());
        });

    assertThat(known).containsExactly(programs, programs, Thread.currentThread().getThreadGroup());
  }

  @Test
  void handsOnToTheThreadGroup() throws InterruptedException {
    ThreadGroup group =
        new ThreadGroup("a group with a mind of its own") {
          @Override
          public void uncaughtException(Thread died, Throwable thrown) {
            handedOn.add(thrown);
          }
        };
    Thread thread =
        new Thread(
            group,
            () -> {
              UncaughtFailure.watch(run, ENDINGS);
              throw failure;
            });
    thread.start();
    thread.join();

    assertThat(handedOn).containsExactly(failure);
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void watchesOneRunAtATimeAndKeepsOneHandler() throws InterruptedException {
    List<LiveRun> runs = List.of(newRun(), newRun(), newRun());
    inThread(
        programs,
        () -> {
          for (LiveRun one : runs) {
            UncaughtFailure.watch(reported(one), ENDINGS);
          }
          throw failure;
        });

    assertThat(handedOn).containsExactly(failure);
    assertThat(runs)
        .extracting(one -> one.snapshot().state())
        .containsExactly(RunState.RUNNING, RunState.RUNNING, RunState.FAILED);
  }

  @Test
  void staysAsItIsWhileItsRunSteps() throws InterruptedException {
    List<UncaughtExceptionHandler> handlers = new ArrayList<>();
    inThread(
        null,
        () -> {
          for (int step = 0; step < 2; step++) {
            UncaughtFailure.watch(run, ENDINGS);
            handlers.add(Thread.currentThread().getUncaughtExceptionHandler());
          }
        });

    assertThat(handlers.get(0)).isInstanceOf(UncaughtFailure.class).isSameAs(handlers.get(1));
  }

  @Test
  void goesBeforeAHandlerThatTheProgramSetsLater() throws InterruptedException {
    inThread(
        (died, thrown) -> handedOn.add(new AssertionError("the program has replaced this one")),
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          Thread.currentThread().setUncaughtExceptionHandler(programs);
          UncaughtFailure.watch(run, ENDINGS);
          throw failure;
        });

    assertThat(handedOn).containsExactly(failure);
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void isTakenAwayOnceItsRunHasEnded() throws InterruptedException {
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          run.complete();
          UncaughtFailure.leaveEnded();
          assertThat(Thread.currentThread().getUncaughtExceptionHandler()).isSameAs(programs);
        });

    assertThat(handedOn).isEmpty();
  }

  @Test
  void isTakenAwayByARunThatIsNotReported() throws InterruptedException {
    inThread(
        null,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          live.standAside();
          UncaughtFailure.watch(TrainingRun.inert(), ENDINGS);
          Thread thread = Thread.currentThread();
          assertThat(thread.getUncaughtExceptionHandler()).isSameAs(thread.getThreadGroup());
        });
  }

  @Test
  void staysWhileItsRunIsLive() throws InterruptedException {
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          UncaughtFailure.watch(TrainingRun.inert(), ENDINGS); // the second of two at once
          UncaughtFailure.leaveEnded();
          throw failure;
        });

    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void whatIsAwaitedFailsOnceAndTheRunBesideItToo() throws InterruptedException {
    AwaitedRun awaited = new AwaitedRun(new Turn(), "a trainer", ENDINGS);
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          UncaughtFailure.watch(awaited);
          UncaughtFailure.leaveEnded(); // what was awaited is closed on the way out
          throw failure;
        });

    assertThat(awaited.isOver()).isTrue();
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
    assertThat(handedOn).containsExactly(failure);
  }

  @Test
  void whatIsAwaitedIsWatchedWithoutARun() throws InterruptedException {
    AwaitedRun awaited = new AwaitedRun(new Turn(), "a trainer", ENDINGS);
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(awaited);
          UncaughtFailure.leaveEnded();
          assertThat(UncaughtFailure.handlerOfProgram()).isSameAs(programs);
          throw failure;
        });

    assertThat(awaited.isOver()).isTrue();
    assertThat(handedOn).containsExactly(failure);
  }

  @Test
  void nothingIsAwaitedOnceARunIsWatched() throws InterruptedException {
    AwaitedRun awaited = new AwaitedRun(new Turn(), "a trainer", ENDINGS);
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(awaited);
          UncaughtFailure.watch(run, ENDINGS);
          throw failure;
        });

    assertThat(awaited.isOver()).isFalse();
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void isTakenAwayWhenWhatIsAwaitedIsNotReported() throws InterruptedException {
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(new AwaitedRun(new Turn(), "a trainer", ENDINGS));
          UncaughtFailure.watch(TrainingRun.inert(), ENDINGS); // the second of two at once
          assertThat(Thread.currentThread().getUncaughtExceptionHandler()).isSameAs(programs);
        });
  }

  @Test
  void leavesTheProgramsHandlerWhereItIs() throws InterruptedException {
    run.complete();
    inThread(
        programs,
        () -> {
          UncaughtFailure.watch(run, ENDINGS);
          assertThat(Thread.currentThread().getUncaughtExceptionHandler()).isSameAs(programs);
        });

    assertThat(handedOn).isEmpty();
  }

  /** A failed assertion on the thread is one of the test's. */
  private void inThread(UncaughtExceptionHandler handler, Runnable training)
      throws InterruptedException {
    List<AssertionError> wrong = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                training.run();
              } catch (AssertionError e) {
                wrong.add(e);
              }
            });
    thread.setUncaughtExceptionHandler(handler);
    thread.start();
    thread.join();
    assertThat(wrong).isEmpty();
  }

  private static LiveRun newRun() {
    return new LiveRun(1, "a run", Settings.read(Map.<String, String>of()::get), new ManualClock());
  }

  private static TrainingRun reported(LiveRun run) {
    return TrainingRun.of(run, null, new Log(Log.Level.OFF), () -> {});
  }
}
