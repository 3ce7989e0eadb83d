package dev.waymark.samples.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A sample's jar, run as its users run it: alone, or under {@code waymark run}. */
public final class SampleJar {
  private final Path jar;
  private final Path folder;
  private final List<String> main;

  private SampleJar(Path jar, Path folder, List<String> main) {
    this.jar = jar;
    this.folder = folder;
    this.main = main;
  }

  /**
   * The program that the jar starts.
   *
   * @param name of the jar's file in the module's target folder
   * @param folder where the program runs
   */
  public static SampleJar of(String name, Path folder) {
    Path jar = Paths.get("target", name).toAbsolutePath();
    return new SampleJar(jar, folder, List.of("-jar", jar.toString()));
  }

  /** The jar's file. */
  public Path file() {
    return jar;
  }

  /** Another program that lies beside the jar's own, in a folder of classes. */
  public SampleJar program(String mainClass, Path classes) {
    String classPath = classes.toAbsolutePath() + System.getProperty("path.separator") + jar;
    return new SampleJar(jar, folder, List.of("-cp", classPath, mainClass));
  }

  /** Without Waymark. */
  public Outcome alone(String... arguments) throws IOException, InterruptedException {
    return alone(List.of(), arguments);
  }

  /** Without Waymark, and with options of the JVM. */
  public Outcome alone(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    return Command.run(folder, Map.of(), command(options, arguments));
  }

  /** Asserts that the program refuses its arguments in these words, tells its usage, and ends. */
  public void refuses(String complaint, String... arguments)
      throws IOException, InterruptedException {
    Outcome run = alone(arguments);

    String file = jar.getFileName().toString();
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .contains(file.replace(".jar", ": ") + complaint + "\nusage: java -jar " + file)
        .doesNotContain("Exception");
    assertThat(run.output()).isEmpty();
  }

  /** Under {@code waymark run}, to a good end. */
  public WatchedRun watched(String... arguments) throws IOException, InterruptedException {
    return watched(List.of(), arguments);
  }

  /** Under {@code waymark run} and with options of the JVM, to a good end. */
  public WatchedRun watched(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> what = new ArrayList<>(List.of("--"));
    what.addAll(command(options, arguments));
    return WatchedRun.of(folder, what);
  }

  private List<String> command(List<String> options, String... arguments) {
    List<String> command = java();
    command.addAll(options);
    command.addAll(main);
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /**
   * What a command begins with. The programs are short and the machine is busy with other tests:
   * compiling for speed would take longer than it brings.
   */
  static List<String> java() {
    return new ArrayList<>(
        List.of(
            Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC"));
  }
}
