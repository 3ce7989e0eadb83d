package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TrainingRunTest {
  private final ManualClock clock = new ManualClock();
  private final AtomicInteger sendings = new AtomicInteger();
  private final LiveRun live =
      new LiveRun(1, "a run", Settings.read(Map.<String, String>of()::get), clock);
  private final TrainingRun run =
      TrainingRun.of(
          live,
          new SampleGate(Duration.ofSeconds(4), clock),
          new Log(Log.Level.OFF),
          sendings::incrementAndGet);

  @Test
  void outsideATrainJobItIsInert() {
    TrainingRun outside = TrainingRun.start();
    everyCall(outside);

    assertThat(outside.isReported()).isFalse();
    assertThat(outside.hasEnded()).isFalse();
    assertThat(outside.sampleDue()).isFalse();
    assertThat(outside.isPlanKnown()).isFalse();
    assertThat(outside.isPlanDone()).isFalse();
    assertThat(TrainingRun.attach("trainer").isReported()).isFalse();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("waymark-last-word"));
  }

  @Test
  void takesNonsenseWithoutAThrow() {
    assertThatCode(
            () -> {
              run.plan(Integer.MIN_VALUE, Long.MIN_VALUE);
              run.planSteps(Long.MIN_VALUE);
              run.resumedAt(Long.MIN_VALUE);
              run.resumedAtEpoch(Integer.MIN_VALUE);
              run.metric(null, 1);
              run.metric("", 1);
              run.remaining(null);
              run.remaining(Duration.ofSeconds(Long.MAX_VALUE));
              run.remaining(Duration.ofSeconds(Long.MIN_VALUE));
              run.presumeCompleted(null, true);
              run.presumeOver(null, true);
              run.presumeCompleted(Duration.ofSeconds(Long.MAX_VALUE), false);
              run.progress(Double.NaN);
              run.epochEnded(Integer.MIN_VALUE);
              run.failed(null);
            })
        .doesNotThrowAnyException();
    assertThat(live.snapshot().state()).isEqualTo(RunState.FAILED);
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        Arguments.of(RunState.COMPLETED, (Consumer<TrainingRun>) TrainingRun::complete),
        Arguments.of(RunState.STOPPED_EARLY, (Consumer<TrainingRun>) TrainingRun::stoppedEarly),
        Arguments.of(RunState.DIVERGED, (Consumer<TrainingRun>) TrainingRun::diverged),
        Arguments.of(RunState.STOPPED_EARLY, (Consumer<TrainingRun>) TrainingRun::close),
        Arguments.of(RunState.STOPPED_EARLY, (Consumer<TrainingRun>) TrainingRun::over),
        Arguments.of(
            RunState.FAILED,
            (Consumer<TrainingRun>) r -> r.failed(new IllegalStateException("as a test"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ends")
  void endsAsTold(RunState state, Consumer<TrainingRun> end) {
    run.planSteps(4);
    run.step();
    end.accept(run);
    everyCall(run);

    assertThat(live.snapshot().state()).isEqualTo(state);
    assertThat(live.snapshot().percent()).isEqualTo(state == RunState.COMPLETED ? 100 : 25);
    assertThat(run.hasEnded()).isTrue();
    assertThat(run.isReported()).as("it was, until it ended").isTrue();
    assertThat(run.sampleDue()).isFalse();
  }

  private enum Plan {
    UNKNOWN,
    SHORT,
    DONE
  }

  static Stream<Arguments> plans() {
    return Stream.of(
        plan("no plan", "", "", r -> r.step(), Plan.UNKNOWN),
        plan("no plan, 100 percent told", "", "", r -> r.progress(100), Plan.UNKNOWN),
        plan("no plan, epochs told", "", "", r -> r.epochEnded(), Plan.UNKNOWN),
        plan("a step too few", "", "", r -> steps(r, 3, x -> x.planSteps(4)), Plan.SHORT),
        plan("all steps", "", "", r -> steps(r, 4, x -> x.planSteps(4)), Plan.DONE),
        plan("all steps, some before", "", "", TrainingRunTest::resumedAtAStep, Plan.DONE),
        plan("an epoch too few", "", "", r -> epochs(r, 2, x -> x.plan(3, 0)), Plan.SHORT),
        plan("all epochs", "", "", r -> epochs(r, 3, x -> x.plan(3, 0)), Plan.DONE),
        plan("within an epoch", "", "", r -> steps(r, 5, x -> x.plan(2, 3)), Plan.SHORT),
        plan("epochs without an end", "", "", r -> steps(r, 5, x -> x.plan(2, 0)), Plan.UNKNOWN),
        plan("settings want more", "5", "", r -> epochs(r, 3, x -> x.plan(3, 0)), Plan.SHORT),
        plan("the settings alone", "3", "", r -> epochs(r, 3, x -> {}), Plan.DONE),
        plan("settings, no epoch told", "3", "", r -> steps(r, 3, x -> {}), Plan.UNKNOWN),
        plan("settings, resumed, too few", "5", "3", r -> r.epochEnded(), Plan.SHORT),
        plan("settings, resumed, all", "5", "4", r -> r.epochEnded(), Plan.DONE));
  }

  @ParameterizedTest(name = "{0}: {4}")
  @MethodSource("plans")
  void knowsHowMuchOfItsPlanIsDone(
      String what, String epochs, String startEpoch, Consumer<TrainingRun> told, Plan plan) {
    Map<String, String> environment =
        Map.of("WAYMARK_EPOCHS", epochs, "WAYMARK_START_EPOCH", startEpoch);
    LiveRun planned = new LiveRun(1, "a run", Settings.read(environment::get), clock);
    TrainingRun trained =
        TrainingRun.of(
            planned,
            new SampleGate(Duration.ofSeconds(4), clock),
            new Log(Log.Level.OFF),
            () -> {});
    told.accept(trained);

    assertThat(trained.isPlanKnown()).isEqualTo(plan != Plan.UNKNOWN);
    assertThat(trained.isPlanDone()).isEqualTo(plan == Plan.DONE);
    trained.over();
    assertThat(planned.snapshot().state())
        .isEqualTo(plan == Plan.SHORT ? RunState.STOPPED_EARLY : RunState.COMPLETED);
    assertThat(trained.isPlanKnown()).as("after its end").isEqualTo(plan != Plan.UNKNOWN);
    assertThat(trained.isPlanDone()).as("after its end").isEqualTo(plan == Plan.DONE);
  }

  private static Arguments plan(
      String what, String epochs, String start, Consumer<TrainingRun> told, Plan plan) {
    return Arguments.of(what, epochs, start, told, plan);
  }

  private static void resumedAtAStep(TrainingRun run) {
    run.resumedAt(7);
    steps(run, 3, r -> r.planSteps(10));
  }

  private static void steps(TrainingRun run, int count, Consumer<TrainingRun> plan) {
    plan.accept(run);
    for (int i = 0; i < count; i++) {
      run.step();
    }
  }

  private static void epochs(TrainingRun run, int count, Consumer<TrainingRun> plan) {
    plan.accept(run);
    for (int i = 0; i < count; i++) {
      run.epochEnded();
    }
  }

  @Test
  void handsOnWhatTheProgramTells() {
    run.plan(4, 100);
    run.resumedAt(150);
    run.step(0.5);
    run.step();
    run.loss(0.25);
    run.learningRate(0.01);
    run.metric("accuracy", 0.75);
    run.evaluating();
    RunSnapshot snapshot = live.snapshot();

    assertThat(snapshot.own())
        .extracting(Metric::toString)
        .containsExactly(
            "state=evaluating",
            "run=1",
            "current_step=152",
            "total_steps=400",
            "current_epoch=1.52",
            "total_epochs=4",
            "loss=0.25",
            "learning_rate=0.01");
    assertThat(snapshot.others()).extracting(Metric::toString).containsExactly("accuracy=0.75");

    run.epochEnded(2);
    run.epochEnded();
    run.progress(80);
    run.remaining(Duration.ofSeconds(30));
    assertThat(live.snapshot().own()).extracting(Metric::toString).contains("current_epoch=3");
    assertThat(live.snapshot().percent()).isEqualTo(80);
    assertThat(live.snapshot().remainingSeconds()).isEqualTo(30);
    run.remaining(Duration.ofSeconds(-30));
    assertThat(live.snapshot().remainingSeconds()).as("negative counts as zero").isZero();
    run.remaining(null);
    assertThat(live.snapshot().remainingSeconds()).isEqualTo(RunSnapshot.UNKNOWN);
  }

  @Test
  void resumesAtAnEpochAndByAPlanOfSteps() {
    run.resumedAtEpoch(2);
    run.planSteps(100);
    run.step();
    assertThat(live.snapshot().own())
        .extracting(Metric::toString)
        .contains("current_epoch=2", "total_steps=100");
  }

  @Test
  void presumesThatItIsOverAsItStands() {
    run.planSteps(2);
    run.step();
    run.presumeCompleted(Duration.ofSeconds(60), true);
    clock.advanceSeconds(60);
    assertThat(live.endIfQuiet()).as("a step is missing").isFalse();
    run.presumeOver(Duration.ofSeconds(60), true);
    clock.advanceSeconds(60);
    assertThat(live.endIfQuiet()).isTrue();
    assertThat(live.snapshot().state()).isEqualTo(RunState.STOPPED_EARLY);
  }

  @Test
  void presumesItsCompletionUntilThatIsTakenBack() {
    run.presumeCompleted(Duration.ofSeconds(60), true);
    run.withdrawPresumption();
    clock.advanceSeconds(60);
    assertThat(live.endIfQuiet()).isFalse();
    run.presumeCompleted(Duration.ofSeconds(60), true);
    clock.advanceSeconds(60);
    assertThat(live.endIfQuiet()).isTrue();
  }

  @Test
  void afterAStepThatFollowsAnotherAtOnceThereIsNothingToLookFor() {
    assertThat(run.stepAndLook()).isTrue();
    assertThat(run.stepAndLook(0.5)).isFalse();
    clock.advanceSeconds(0.005);
    assertThat(run.stepAndLook(0.25)).isTrue();
    run.complete();
    clock.advanceSeconds(1);
    assertThat(run.stepAndLook()).as("it has ended").isFalse();

    assertThat(live.snapshot().own()).extracting(Metric::toString).contains("current_step=3");
  }

  @ParameterizedTest(name = "after {0} s: {1}")
  @CsvSource({"0, false", "0.999, false", "1, true", "100, true"})
  void samplesAreDueFourTimesAnInterval(double seconds, boolean due) {
    assertThat(run.sampleDue()).as("at once").isTrue();
    clock.advanceSeconds(seconds);
    assertThat(run.sampleDue()).isEqualTo(due);
    assertThat(run.sampleDue()).as("once").isFalse();
  }

  static Stream<Arguments> occasions() {
    return Stream.of(
        occasion("a step", TrainingRun::step, 0),
        occasion("a step with its loss", r -> r.step(0.5), 0),
        occasion("a metric", r -> r.metric("accuracy", 0.5), 0),
        occasion("a learning rate", r -> r.learningRate(0.5), 0),
        occasion("a sample that is due", TrainingRun::sampleDue, 1),
        occasion("a sample after that", TrainingRunTest::askedForSamplesTwice, 1),
        occasion("an epoch's end", TrainingRun::epochEnded, 1),
        occasion("an epoch's end by its number", r -> r.epochEnded(1), 1),
        occasion("an end", TrainingRun::complete, 1),
        occasion("an end that the plan decides on", TrainingRun::over, 1),
        occasion("a failure", r -> r.failed(null), 1),
        occasion("a second end", TrainingRunTest::closedTwice, 1));
  }

  private static Arguments occasion(String what, Consumer<TrainingRun> call, int sendings) {
    return Arguments.of(what, call, sendings);
  }

  private static void askedForSamplesTwice(TrainingRun run) {
    run.sampleDue();
    run.sampleDue();
  }

  private static void closedTwice(TrainingRun run) {
    run.close();
    run.close();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("occasions")
  void seesToTheSendingNowAndThenButNotAtEachStep(
      String what, Consumer<TrainingRun> call, int expected) {
    call.accept(run);

    assertThat(sendings).hasValue(expected);
  }

  @Test
  void aMillionStepsAllocateNothing() {
    TrainingRun timed = timed();
    Consumer<TrainingRun> steps =
        r -> {
          for (int i = 0; i < 1_000_000; i++) {
            r.step(i);
            r.metric("accuracy", i);
            r.learningRate(i);
          }
        };
    steps.accept(timed);

    // The JVM itself may allocate on a thread, for instance when it replaces compiled code.
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5 && least > 0; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      steps.accept(timed);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(least).isZero();
  }

  private static TrainingRun timed() {
    LiveRun run =
        new LiveRun(1, "a run", Settings.read(Map.<String, String>of()::get), System::nanoTime);
    run.plan(10, 300_000);
    return TrainingRun.of(
        run,
        new SampleGate(Duration.ofSeconds(1), System::nanoTime),
        new Log(Log.Level.OFF),
        () -> {});
  }

  private static void everyCall(TrainingRun run) {
    run.plan(1, 1);
    run.planSteps(1);
    run.resumedAt(1);
    run.resumedAtEpoch(1);
    run.step();
    run.step(1);
    run.stepAndLook();
    run.stepAndLook(1);
    run.busy(true);
    run.busy(false);
    run.loss(1);
    run.learningRate(1);
    run.metric("accuracy", 1);
    run.epochEnded(1);
    run.epochEnded();
    run.evaluating();
    run.progress(50);
    run.remaining(Duration.ofSeconds(1));
    run.presumeCompleted(Duration.ZERO, true);
    run.presumeOver(Duration.ZERO, true);
    run.withdrawPresumption();
    run.complete();
    run.over();
    run.stoppedEarly();
    run.diverged();
    run.failed(new IllegalStateException("as a test"));
    run.close();
  }
}
