package dev.waymark.agent.run;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A Java program in a JVM of its own, to be started with or without the agent. */
final class Program {
  private static final Path AGENT = Path.of(System.getProperty("agent.jar"));

  private final Jdk jdk;
  private final List<String> jvmOptions = new ArrayList<>();
  private final List<String> main;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private Duration limit = Duration.ofSeconds(120);

  private Program(Jdk jdk, List<String> main) {
    this.jdk = jdk;
    this.main = main;
  }

  /** A program on the class path. */
  static Program onClassPath(Jdk jdk, List<Path> classPath, String main, String... arguments) {
    return new Program(jdk, with(List.of(main), arguments)).classPath(classPath);
  }

  /** A program in a jar that names its main class. */
  static Program inJar(Jdk jdk, Path jar, String... arguments) {
    return new Program(jdk, with(List.of("-jar", jar.toString()), arguments));
  }

  /** A program in a module. */
  static Program inModule(Jdk jdk, List<Path> modulePath, String main, String... arguments) {
    Program program = new Program(jdk, with(List.of("-m", main), arguments));
    return program.option("-p", join(modulePath));
  }

  private static List<String> with(List<String> first, String... rest) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(rest));
    return all;
  }

  private static String join(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** Adds options of the JVM, in order. */
  Program option(String... options) {
    jvmOptions.addAll(List.of(options));
    return this;
  }

  Program classPath(List<Path> elements) {
    return option("-cp", join(elements));
  }

  Program withAgent() {
    return withAgent(AGENT);
  }

  Program withAgent(Path jar) {
    return option("-javaagent:" + jar);
  }

  Program withEnvironment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Gives a long program more time than others, or less. */
  Program within(Duration newLimit) {
    limit = newLimit;
    return this;
  }

  /** Lets the program report to an endpoint. */
  Program reportingTo(StatusEndpoint endpoint, String trainJob) {
    environment.putAll(endpoint.environment(trainJob));
    return this;
  }

  static Path agent() {
    return AGENT;
  }

  /** Runs the program to its end. */
  Outcome run() throws IOException, InterruptedException {
    return run(null);
  }

  /** Runs the program until it has printed a line, and ends it then by SIGTERM. */
  Outcome runUntil(String line) throws IOException, InterruptedException {
    return run(line);
  }

  /**
   * @param last what it prints before it is ended; null if it ends by itself
   */
  private Outcome run(String last) throws IOException, InterruptedException {
    Path out = Files.createTempFile("program", ".out");
    Path err = Files.createTempFile("program", ".err");
    try {
      Process process = start(out, err);
      if (last != null) {
        await()
            .atMost(limit)
            .until(() -> !process.isAlive() || read(out).lines().anyMatch(last::equals));
        process.destroy();
      }
      if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("still running after " + limit + ": " + read(err));
      }
      return new Outcome(process.exitValue(), read(out), read(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private Process start(Path out, Path err) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(jdk.java().toString());
    // Short programs on a machine that is busy with other tests.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(jvmOptions);
    command.addAll(main);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    Map<String, String> variables = builder.environment();
    variables
        .keySet()
        .removeIf(name -> name.startsWith("KUBEFLOW_") || name.startsWith("WAYMARK_"));
    variables.keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    variables.putAll(environment);
    return builder.start();
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file).strip();
  }

  /** How a program ended and what it printed. */
  record Outcome(int exitCode, String out, String err) {

    /** The agent's and the reporter's lines. */
    List<String> waymarkLines() {
      return err.lines().filter(line -> line.startsWith("[waymark]")).toList();
    }

    /** Everything on standard error that is the program's own. */
    List<String> otherLines() {
      return err.lines()
          .filter(line -> !line.startsWith("[waymark]") && !line.startsWith("SLF4J"))
          .toList();
    }
  }
}
