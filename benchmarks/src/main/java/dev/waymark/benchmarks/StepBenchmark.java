package dev.waymark.benchmarks;

import dev.waymark.reporter.TrainingRun;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a training thread pays for telling the reporter about one step. Run through {@link
 * JmhResults}, which sets the variables that make the run a reported one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StepBenchmark {

  private TrainingRun run;
  private double loss = 1;

  @Setup
  public void start() {
    run = TrainingRun.start();
    run.plan(1_000_000, 1000);
    run.step(loss);
  }

  @TearDown
  public void end() {
    run.close();
  }

  @Benchmark
  public void step() {
    run.step(loss);
    loss += 0.001;
  }

  @Benchmark
  public void metric() {
    run.metric("accuracy", loss);
    loss += 0.001;
  }
}
