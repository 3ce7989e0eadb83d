package dev.waymark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher script in a source tree of its own, with a {@code java} that says what it was
 * started with and a {@code mvn} that makes empty jars.
 */
class LauncherIT {

  private static final List<String> MODULES =
      List.of(
          "cli",
          "cli/cluster",
          "client",
          "planner",
          "status-server",
          "trainer-api",
          "agent",
          "djl-listener",
          "dl4j-listener",
          "core-reporter",
          "samples/djl-iris",
          "samples/dl4j-iris");

  private static final List<String> JARS =
      List.of(
          "cli/target/waymark-cli.jar",
          "cli/cluster/target/waymark-cli-cluster.jar",
          "agent/target/waymark-agent.jar",
          "samples/djl-iris/target/djl-iris.jar",
          "samples/dl4j-iris/target/dl4j-iris.jar");

  private static final String COMMANDS = "cli/cluster/src/main/java/dev/waymark/cli/cluster";

  private static final String TRAIN_JOB = "trainjob.yaml";

  private static final List<String> TOOLS =
      List.of(
          "sh",
          "dirname",
          "readlink",
          "find",
          "grep",
          "touch",
          "mkdir",
          "cat",
          "rm",
          "mv",
          "ps",
          "sed",
          "sleep");

  @TempDir Path folder;

  private Path tree;
  private Path launcher;

  @BeforeEach
  void makeASourceTree() throws IOException {
    folder = folder.toRealPath();
    tree = Files.createDirectories(folder.resolve("my tree"));
    launcher = Files.copy(Path.of("../waymark"), tree.resolve("waymark"));
    write("pom.xml");
    for (String module : MODULES) {
      write(module + "/pom.xml");
      write(module + "/src/main/java/Some.java");
    }
    for (String sample : List.of("samples/djl-iris", "samples/dl4j-iris")) {
      Files.copy(Path.of("..", sample, TRAIN_JOB), tree.resolve(sample).resolve(TRAIN_JOB));
    }
    write("samples/iris/iris.csv");
    Path listing = tree.resolve(COMMANDS).resolve("ListCommand.java");
    Files.createDirectories(listing.getParent());
    Files.writeString(listing, "@Command(\n    name = \"list\",\n    description = \"Lists.\")\n");
    script(
        "bin/java",
        "[ \"$1\" != -version ] || { echo \"openjdk version \\\"${FAKE_VERSION:-17.0.1}\\\"\" >&2;"
            + " exit; }",
        "for word in \"$@\"; do echo \"java: $word\"; done",
        "echo \"java in: $PWD\"",
        "exit 5");
    script(
        "bin/mvn",
        "echo \"mvn: $*\" >> '" + folder.resolve("mvn.log") + "'",
        "case \"$*\" in *fail*) exit 1 ;; esac",
        "for module in cli cli/cluster agent samples/djl-iris samples/dl4j-iris; do mkdir -p $module/target;"
            + " done",
        "touch " + String.join(" ", JARS));
  }

  @Test
  void buildsWhatIsMissingAndNoMore() throws Exception {
    Launched first = launch(folder, "run", "--", "a b", "c");

    assertThat(first.exitCode()).isEqualTo(5);
    assertThat(first.err()).contains("[waymark] building cli,agent (once");
    assertThat(builds()).singleElement().asString().contains("-pl cli,agent -am package");
    assertThat(first.out())
        .contains("java: " + tree.resolve("cli/target/waymark-cli.jar"))
        .contains("java: -Dwaymark.agent=" + tree.resolve("agent/target/waymark-agent.jar"))
        .endsWith("java: run\njava: --\njava: a b\njava: c\njava in: " + folder + "\n");

    assertThat(launch(folder, "run", "--", "a").err()).isEmpty();
    assertThat(builds()).as("nothing is built again").hasSize(1);
  }

  @ParameterizedTest(name = "in {0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # from the tree   | the arguments, "~" being a blank in one                     | built besides
          .                 | samples/djl-iris/trainjob.yaml                             | djl
          samples/djl-iris  | trainjob.yaml runtime.yaml                                 | djl
          samples           | djl-iris/../dl4j-iris/trainjob.yaml                        | dl4j
          samples/djl-iris  | -- java -jar target/djl-iris.jar                           | djl
          ..                | --record r -- java -cp lib/*:TREE/samples/djl-iris/target/djl-iris.jar Main | djl
          .                 | -- env JAR=samples/dl4j-iris/target/dl4j-iris.jar java     | dl4j
          .                 | -- sh -c java~-jar~"samples/djl-iris/target/djl-iris.jar"  | djl
          ..                | -- TREE/samples/dl4j-iris/target/dl4j-iris.jar TREE/samples/djl-iris/target | djl,dl4j
          .                 | -- java -jar djl-iris/target/djl-iris.jar dl4j-iris        |
          .                 | --record djl-iris.jsonl -- java -jar /srv/djl-iris.jar     |
          samples/djl-iris  | -- make all                                                |
          samples/djl-iris  | -- cat trainjob.txt ../iris/iris.csv runtime.yaml          |
          """)
  void buildsTheSamplesThatTheArgumentsLeadTo(String from, String arguments, String built)
      throws Exception {
    launch(
        tree.resolve(from).normalize(),
        Stream.of(("run " + arguments).split(" "))
            .map(word -> word.replace("TREE", tree.toString()).replace('~', ' '))
            .toArray(String[]::new));

    String samples =
        built == null
            ? ""
            : Stream.of(built.split(","))
                .map(framework -> ",samples/" + framework + "-iris")
                .collect(Collectors.joining());
    assertThat(builds()).singleElement().asString().contains("-pl cli,agent" + samples + " -am");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "waymark.dev/local-root: TREE/samples/djl-iris/target",
        "\"waymark.dev/local-root\": 'my tree/samples/djl-iris/target' # as in the image",
        "{waymark.dev/local-root: my tree/samples/djl-iris/target}",
      })
  void buildsTheSampleThatStandsInForTheImageOfATrainJobElsewhere(String annotation)
      throws Exception {
    Files.writeString(
        folder.resolve("own.yaml"),
        "kind: TrainJob\nmetadata:\n  annotations: " + annotation.replace("TREE", tree.toString()));
    launch(tree, "run", "../own.yaml");

    assertThat(builds()).singleElement().asString().contains("-pl cli,agent,samples/djl-iris -am");
  }

  @ParameterizedTest
  @CsvSource({
    "samples/iris/iris.csv, samples/dl4j-iris",
    "samples/dl4j-iris/src/main/java/Some.java, samples/dl4j-iris",
    "dl4j-listener/src/main/java/Some.java, 'agent,samples/dl4j-iris'",
  })
  void buildsASampleAgainWhenItIsOlderThanItsSources(String changed, String built)
      throws Exception {
    launch(tree, "run", "samples/dl4j-iris/trainjob.yaml");
    setAge(Duration.ofHours(-1), JARS);
    setAge(Duration.ofHours(-2), sources());
    write(changed);
    launch(tree, "run", "samples/dl4j-iris/trainjob.yaml");

    assertThat(builds()).hasSize(2).last().asString().contains("-pl " + built + " -am");
  }

  @ParameterizedTest
  @CsvSource({
    "cli/src/main/java/Some.java, cli",
    "planner/src/main/java/Some.java, cli",
    "trainer-api/pom.xml, cli",
    "djl-listener/src/main/java/Some.java, agent",
    "dl4j-listener/src/main/java/Some.java, agent",
    "core-reporter/src/main/java/New.java, agent",
    "pom.xml, 'cli,agent'",
  })
  void buildsAgainWhatIsOlderThanItsSources(String changed, String built) throws Exception {
    launch(tree, "run");
    setAge(Duration.ofHours(-1), JARS);
    setAge(Duration.ofHours(-2), sources());
    write(changed);
    launch(tree, "run");

    assertThat(builds()).hasSize(2).last().asString().contains("-pl " + built + " -am");
  }

  @Test
  void aClientOfClustersIsBuiltForTheCommandsThatNeedOne() throws Exception {
    Launched launched = launch(folder, "list", "x.yaml");

    assertThat(builds()).singleElement().asString().contains("-pl cli/cluster -am package");
    assertThat(launched.out())
        .contains("java: " + tree.resolve("cli/cluster/target/waymark-cli-cluster.jar"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-n team-a list",
        "--kubeconfig=x.yaml --context c list -A",
        "--namespace=a -n b list",
      })
  void whichClusterMayBeSaidBeforeTheCommand(String arguments) throws Exception {
    Launched launched = launch(folder, arguments.split(" "));

    assertThat(builds()).singleElement().asString().contains("-pl cli/cluster -am package");
    assertThat(launched.out()).contains("java: " + arguments.replace(" ", "\njava: ") + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-n", "--help", "--version", "runn", "lis", "-", ".*", "list x", ""})
  void helpAndMistakesNeedButTheNamesOfTheOtherCommands(String argument) throws Exception {
    Launched launched = argument.isEmpty() ? launch(folder) : launch(folder, argument, "x.yaml");

    assertThat(builds()).singleElement().asString().contains("-pl cli -am package");
    assertThat(launched.out())
        .contains("java: " + tree.resolve("cli/target/waymark-cli.jar"))
        .contains("java: -Dwaymark.commands=list \n");
  }

  @Test
  void aFirstBuildTellsHowFarItIsAndLaterOnesAreQuiet() throws Exception {
    Launched first = launch(tree, "run");
    setAge(Duration.ofHours(-1), JARS);
    setAge(Duration.ofHours(-2), sources());
    write("pom.xml");
    Launched second = launch(tree, "run");

    assertThat(first.err()).contains("the first build takes some minutes");
    assertThat(second.err()).contains("building").doesNotContain("minutes");
    assertThat(builds()).hasSize(2);
    assertThat(builds().get(0)).contains("ExecutionEventLogger=info").doesNotContain(" -q ");
    assertThat(builds().get(1)).contains("-q ").doesNotContain("ExecutionEventLogger");
  }

  @ParameterizedTest
  @ValueSource(strings = {"client", "cli", "cli/cluster", "planner", "trainer-api"})
  void buildsTheCommandsForClustersAgainWhenTheyAreOlderThanTheirSources(String changed)
      throws Exception {
    launch(tree, "list");
    setAge(Duration.ofHours(-1), JARS);
    setAge(Duration.ofHours(-2), sources());
    write("agent/src/main/java/Some.java");
    launch(tree, "list");
    assertThat(builds()).as("the agent is for local runs").hasSize(1);

    write(changed + "/src/main/java/Some.java");
    launch(tree, "list");
    assertThat(builds()).hasSize(2).last().asString().contains("-pl cli/cluster -am");
  }

  /** Another build, and another Java, need another archive. */
  @Test
  void archivesTheClassesOfCommandsForClustersOnceForEachBuildAndJava() throws Exception {
    javaThatArchives("echo archive >\"$archive\"");
    String archived = "java: -XX:SharedArchiveFile=" + archive("17.0.1");

    Launched first = launch(folder, "list");
    assertThat(first.out()).contains(archived + "\n");
    assertThat(first.err()).contains("[waymark] preparing a quick start");
    assertThat(launch(folder, "list", "-A").out()).contains(archived + "\n");
    assertThat(trainings()).isEqualTo(1);

    assertThat(launch(folder, List.of("FAKE_VERSION=21"), "list").out())
        .contains("java: -XX:SharedArchiveFile=" + archive("21") + "\n");
    assertThat(trainings()).isEqualTo(2);

    setAge(Duration.ofHours(1), JARS);
    launch(folder, "list");
    assertThat(trainings()).as("older than the command").isEqualTo(3);
    assertThat(launch(folder, "run").out()).doesNotContain("SharedArchiveFile");
    assertThat(tree.resolve("target")).as("no lock is left").isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit 1", "echo half >\"$archive\"; exit 1", "exit 0"})
  void aJavaThatMakesNoArchiveIsAskedOnceForEachBuild(String training) throws Exception {
    javaThatArchives(training);

    assertThat(launch(folder, "list").out()).doesNotContain("SharedArchiveFile");
    assertThat(launch(folder, "list").exitCode()).isEqualTo(5);
    assertThat(trainings()).isEqualTo(1);
  }

  @Test
  void buildsAgainWhenASourceIsGone() throws Exception {
    launch(tree, "run");
    setAge(Duration.ofHours(-2), sources());
    setAge(Duration.ofHours(-1), JARS);
    Files.delete(tree.resolve("planner/src/main/java/Some.java"));
    launch(tree, "run");

    assertThat(builds()).hasSize(2).last().asString().contains("-pl cli -am");
  }

  @Test
  void worksThroughSymbolicLinks() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("my tree/waymark"));
    launcher = Files.createSymbolicLink(folder.resolve("link to link"), link);

    assertThat(launch(folder, "run").out())
        .contains("java: " + tree.resolve("cli/target/waymark-cli.jar"));
  }

  @ParameterizedTest
  @CsvSource({
    "11.0.2, Java 17 or newer is needed",
    "1.8.0_392, is Java 8. Set JAVA_HOME to a newer JDK",
  })
  void refusesAnOldJava(String version, String message) throws Exception {
    Launched launched = launch(folder, List.of("FAKE_VERSION=" + version), "run");

    assertThat(launched.exitCode()).isEqualTo(125);
    assertThat(launched.err()).startsWith("waymark: ").contains(message);
  }

  @ParameterizedTest
  @CsvSource({"17.0.1", "21", "25-ea", "26.0.1+3", "mystery"})
  void takesANewJava(String version) throws Exception {
    assertThat(launch(folder, List.of("FAKE_VERSION=" + version), "run").exitCode()).isEqualTo(5);
  }

  @Test
  void asksTheFileBesideJavaFirst() throws Exception {
    Files.writeString(folder.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"11.0.1\"\n");

    assertThat(launch(folder, "run").err()).contains("is Java 11");
  }

  @Test
  void javaOfJavaHomeIsFoundByWhatRunsToo() throws Exception {
    Files.delete(folder.resolve("bin/java"));
    script("my jdk/bin/java", "echo \"found: $(command -v java)\"");
    Files.writeString(folder.resolve("my jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");

    assertThat(launch(folder, List.of("JAVA_HOME=my jdk"), "run").out())
        .isEqualTo("found: " + folder.resolve("my jdk/bin/java") + "\n");
  }

  @Test
  void aClosedInputIsAnEmptyOne() throws Exception {
    script("bin/java", "[ \"$1\" = -version ] || (: 3<&0) && echo \"input: $(cat)\"");
    Path starter = folder.resolve("starter");
    Files.writeString(starter, "exec sh '" + launcher + "' \"$@\" <&-\n");
    launcher = starter;

    assertThat(launch(folder, "run").out()).isEqualTo("input: \n");
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    assertThat(launch(folder, List.of("JAVA_HOME=/no/such/jdk"), "run").err())
        .contains("JAVA_HOME is /no/such/jdk, but there is no bin/java in it");

    Files.delete(folder.resolve("bin/mvn"));
    assertThat(launch(folder, "run").err()).contains("mvn was not found");

    Files.delete(folder.resolve("bin/java"));
    assertThat(launch(folder, "run").err()).contains("java was not found");
  }

  @Test
  void stopsWhenTheBuildFails() throws Exception {
    script("bin/mvn", "exit 1");
    Launched launched = launch(folder, "run");

    assertThat(launched.exitCode()).isEqualTo(125);
    assertThat(launched.err()).contains("the build failed");
    assertThat(launched.out()).isEmpty();
  }

  @Test
  void buildThatFailsLeavesNoHalfJar() throws Exception {
    launch(tree, "run");
    setAge(Duration.ofHours(-2), sources());
    setAge(Duration.ofHours(-1), JARS);
    write("cli/src/main/java/Some.java");
    script("bin/mvn", "echo half >cli/target/waymark-cli.jar", "exit 1");

    assertThat(launch(tree, "run").exitCode()).isEqualTo(125);
    assertThat(tree.resolve("cli/target/waymark-cli.jar")).as("half a jar").doesNotExist();
    assertThat(tree.resolve("agent/target/waymark-agent.jar")).as("not built then").exists();
  }

  @Test
  void secondOfTwoAtOnceWaitsForTheBuildOfTheFirst() throws Exception {
    Path go = mvnThatWaits();
    Process first = start("first", tree, List.of(), "run");
    await().until(this::hasBuilds);
    Process second = start("second", tree, List.of(), "run");
    await().until(() -> read("second.err").contains("waiting for another build of this tree"));
    assertThat(read("second.err")).contains("(process " + first.pid() + " ");
    Files.writeString(go, "\n");

    assertThat(first.waitFor()).isEqualTo(5);
    assertThat(second.waitFor()).isEqualTo(5);
    assertThat(builds()).as("what the first has built the second has not").hasSize(1);
    assertThat(read("second.err").lines()).hasSize(1);
    assertThat(lock()).doesNotExist();
  }

  @Test
  void buildThatIsEndedLeavesTheTreeToTheNext() throws Exception {
    Path go = mvnThatWaits();
    Process ended = start("ended", tree, List.of(), "run");
    await().until(this::hasBuilds);
    assertThat(lock()).isDirectory();
    ended.destroy();
    Files.writeString(go, "\n"); // as Maven ends too, which gets the signal of a Ctrl-C itself

    assertThat(ended.waitFor()).isEqualTo(128 + 15);
    assertThat(lock()).doesNotExist();
    assertThat(tree.resolve("cli/target/waymark-cli.jar")).as("perhaps half a jar").doesNotExist();
    assertThat(tree.resolve("agent/target/waymark-agent.jar")).doesNotExist();
  }

  @Test
  void buildThatOutlivesItsLauncherIsWaitedFor() throws Exception {
    Path go = mvnThatWaits();
    Process killed = start("killed", tree, List.of(), "run");
    await().until(this::hasBuilds);
    killed.destroyForcibly().waitFor();
    Process second = start("second", tree, List.of(), "run");
    await().until(() -> read("second.err").contains("waiting for another build of this tree"));
    assertThat(builds()).hasSize(1);
    Files.writeString(go, "\n");

    assertThat(second.waitFor()).isEqualTo(5);
    assertThat(builds()).as("what has been built is not built again").hasSize(1);
    assertThat(lock()).doesNotExist();
  }

  @Test
  void buildThatFailsLeavesTheTreeToTheNext() throws Exception {
    script("bin/mvn", "exit 1");
    launch(folder, "run");

    assertThat(lock()).doesNotExist();
  }

  @Test
  void lockOfAProcessThatIsGoneHoldsNobodyUp() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.createDirectories(lock());
    Files.writeString(lock().resolve("holders"), gone.pid() + "\n");
    Launched launched = launch(folder, "run");

    assertThat(launched.exitCode()).isEqualTo(5);
    assertThat(launched.err()).doesNotContain("waiting");
    assertThat(tree.resolve("target")).isEmptyDirectory();
  }

  /**
   * Puts a {@code java} in place that counts the trainings of an archive.
   *
   * @param training what it does then, the archive's file being {@code $archive}
   */
  private void javaThatArchives(String training) throws IOException {
    Path java = folder.resolve("bin/java");
    List<String> lines = new ArrayList<>(Files.readAllLines(java));
    lines.add(
        lines.size() - 3,
        "dumps= archive=; for word in \"$@\"; do case $word in"
            + " -XX:DumpLoadedClassList=*) echo one >>'"
            + folder.resolve("trainings")
            + "'; echo Some >\"${word#*=}\"; exit 0 ;;"
            + " -Xshare:dump) dumps=yes ;;"
            + " -XX:SharedArchiveFile=*) archive=${word#*=} ;; esac; done;"
            + " if [ -n \"$dumps\" ]; then "
            + training
            + "; exit 0; fi");
    Files.write(java, lines);
  }

  private long trainings() throws IOException {
    return Files.readAllLines(folder.resolve("trainings")).size();
  }

  private Path archive(String version) {
    return tree.resolve("cli/cluster/target/waymark-cli-cluster-" + version + ".jsa");
  }

  /** Puts a {@code mvn} in place that builds only when something is written to what it returns. */
  private Path mvnThatWaits() throws IOException, InterruptedException {
    Path go = folder.resolve("go");
    assertThat(new ProcessBuilder("mkfifo", go.toString()).start().waitFor()).isZero();
    Path builder = folder.resolve("bin/mvn");
    List<String> lines = new ArrayList<>(Files.readAllLines(builder));
    lines.add(2, "read line < '" + go + "'");
    Files.write(builder, lines);
    return go;
  }

  private boolean hasBuilds() {
    return Files.exists(folder.resolve("mvn.log"));
  }

  private Path lock() {
    return tree.resolve("target/waymark-build.lock");
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file));
  }

  private record Launched(int exitCode, String out, String err) {}

  private Launched launch(Path from, String... arguments) throws Exception {
    return launch(from, List.of(), arguments);
  }

  private Launched launch(Path from, List<String> variables, String... arguments) throws Exception {
    int exitCode = start("launched", from, variables, arguments).waitFor();
    return new Launched(exitCode, read("launched.out"), read("launched.err"));
  }

  /** With a PATH that has our java and mvn, and beside them only what POSIX has. */
  private Process start(String name, Path from, List<String> variables, String... arguments)
      throws IOException {
    String path = folder.resolve("bin") + ":" + tools();
    List<String> command =
        Stream.of(
                List.of("env", "-i", "PATH=" + path),
                variables,
                List.of("sh", launcher.toString()),
                List.of(arguments))
            .flatMap(List::stream)
            .toList();
    return new ProcessBuilder(command)
        .directory(from.toFile())
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .redirectError(folder.resolve(name + ".err").toFile())
        .start();
  }

  /** A folder with the system's tools alone: their own folder may hold a java and a mvn as well. */
  private Path tools() throws IOException {
    for (String tool : TOOLS) {
      String place = Files.exists(Path.of("/usr/bin", tool)) ? "/usr/bin/" : "/bin/";
      script("tools/" + tool, "exec " + place + tool + " \"$@\"");
    }
    return folder.resolve("tools");
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(folder.resolve("mvn.log"));
  }

  private List<String> sources() throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      return files
          .map(file -> tree.relativize(file).toString())
          .filter(file -> !file.contains("target") && !file.isEmpty())
          .toList();
    }
  }

  private void setAge(Duration age, List<String> files) throws IOException {
    for (String file : files) {
      Files.setLastModifiedTime(tree.resolve(file), FileTime.from(Instant.now().plus(age)));
    }
  }

  private void write(String file) throws IOException {
    Files.createDirectories(tree.resolve(file).getParent());
    Files.writeString(tree.resolve(file), "x");
  }

  private void script(String file, String... lines) throws IOException {
    Path script = folder.resolve(file);
    Files.createDirectories(script.getParent());
    Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
