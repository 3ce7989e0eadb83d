package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.plan.VariableExpansion;
import dev.waymark.trainer.api.FieldProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchTest {

  private static final String PLAIN = "{numNodes: 1}";
  private static final String TORCH = "{torch: {}}";
  private static final String MPI = "{mpi: {}}";

  @TempDir Path folder;

  private final List<FieldProblem> problems = new ArrayList<>();

  @Test
  void aCommandReplacesTheRuntimesArgumentsToo() {
    Launch launch = launch(new Program.Command(List.of("java", "-jar", "/app.jar")), PLAIN);

    assertThat(launch.command()).containsExactly("java", "-jar", "/app.jar");
    assertThat(launch.args()).isEmpty();
    assertThat(launch.isJvm()).isTrue();
  }

  @Test
  void argumentsAloneLeaveTheCommand() {
    Launch launch = launch(new Program.Arguments(List.of("--epochs", "3")), PLAIN);

    assertThat(launch.command()).isNull();
    assertThat(launch.args()).containsExactly("--epochs", "3");
  }

  @Test
  void withoutAProgramTheRuntimeHasItsOwn() {
    assertThat(launch(null, PLAIN)).isEqualTo(new Launch(null, null, false));
  }

  @ParameterizedTest
  @CsvSource({
    "java, true",
    "/opt/jdk/bin/java, true",
    "javac, false",
    "notjava, false",
    "python, false",
  })
  void knowsAJvmByItsCommand(String command, boolean isJvm) {
    assertThat(launch(new Program.Command(List.of(command)), PLAIN).isJvm()).isEqualTo(isJvm);
  }

  /** A shell around it would keep SIGTERM to itself. */
  @Test
  void aJarIsRunByJavaItself() {
    Program jar = new Program.Jar("/app.jar", List.of("-Xmx4g"), List.of("--epochs", "3"));

    assertThat(launch(jar, PLAIN).command()).containsExactly("java", "-Xmx4g", "-jar", "/app.jar");
    assertThat(launch(jar, PLAIN).args()).containsExactly("--epochs", "3");
    assertThat(launch(jar, MPI).command())
        .containsExactly(
            "mpirun", "--hostfile", "/etc/mpi/hostfile", "java", "-Xmx4g", "-jar", "/app.jar");
  }

  @ParameterizedTest(name = "{1} on {0}: {2}")
  @CsvSource({
    "'{numNodes: 1}', train.py, exec python ",
    "'{torch: {}}', train.py, exec torchrun ",
    "'{mpi: {}}', train.py, exec python ",
    "'{numNodes: 1}', Train.java, exec java ",
    "'{torch: {}}', Train.java, exec java ",
  })
  void aSourceIsStartedAsTheRuntimeHasIt(String policy, String name, String start) {
    List<String> command = launch(new Program.Source(name, "text"), policy).command();

    assertThat(command.get(command.size() - 3)).contains(start);
    assertThat(command.subList(command.size() - 2, command.size())).containsExactly(name, "text");
    assertThat(command.get(0)).isEqualTo(policy.equals(MPI) ? "mpirun" : "sh");
  }

  /** What a kubelet and a shell make of it is exactly the file. */
  @Test
  void aSourceArrivesAsItIs() throws Exception {
    String text =
        "import sys\n# $HOME $(HOME) $$ `id` \"quoted\" 'single' \\n EOM %s\nprint(sys.argv[1:])\n";
    fakeInterpreter("python", "cat \"$1\"; shift; printf '[%s]' \"$@\"");
    Program source =
        new Program.Source("train.py", text, List.of(), List.of(), List.of("a b", "$HOME", "it's"));

    assertThat(run(launch(source, PLAIN))).isEqualTo(text + "[a b][$HOME][it's]");
  }

  @Test
  void javaRunsItsSource() throws Exception {
    String text =
        "class Train { public static void main(String[] a) { System.out.print(\"$1: \" + a[0]); } }";
    Program source =
        new Program.Source("Train.java", text, List.of(), List.of(), List.of("three epochs"));

    assertThat(run(launch(source, TORCH))).isEqualTo("$1: three epochs");
  }

  @Test
  void packagesAreInstalledFirstForTheUserOrElseForAll() throws Exception {
    fakeInterpreter(
        "python",
        "case \"$*\" in *--version*) exit 0 ;; *--user*) echo no home; exit 1 ;; esac",
        "printf '<%s>' \"$@\"",
        "case \"$2\" in pip) printf '<%s>' \"$@\" >'" + folder + "/installed' ;; esac");
    Program source =
        new Program.Source(
            "train.py",
            "text",
            List.of("numpy==2.1", "transformers[torch]; python_version>'3'"),
            List.of("https://a.example/simple", "https://b.example/$(id)"),
            List.of());

    run(launch(source, PLAIN));

    assertThat(Files.readString(folder.resolve("installed")))
        .isEqualTo(
            "<-m><pip><install><--quiet><--no-warn-script-location>"
                + "<--index-url><https://a.example/simple>"
                + "<--extra-index-url><https://b.example/$(id)>"
                + "<--><numpy==2.1><transformers[torch]; python_version>'3'>");
  }

  @Test
  void packagesThatCannotBeInstalledEndIt() throws Exception {
    fakeInterpreter(
        "python", "case \"$*\" in *--version*) exit 0 ;; esac", "echo no such package; exit 1");
    Program source =
        new Program.Source("train.py", "text", List.of("nowhere"), List.of(), List.of());

    Process process = start(launch(source, PLAIN));
    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("no such package\nno such package\n");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "train.sh, that ends in .java or .py",
    "../train.py, is no source file",
    "my train.py, is no source file",
    "$x.py, is no source file",
  })
  void refusesNamesThatAreNone(String name, String why) {
    launch(new Program.Source(name, "text"), PLAIN);

    assertThat(problems).singleElement().asString().contains(why);
  }

  @Test
  void refusesWhatLinuxCannotPassOn() {
    launch(new Program.Source("train.py", "x".repeat(131_071)), PLAIN);
    assertThat(problems).isEmpty();

    launch(new Program.Source("train.py", "x".repeat(131_072)), PLAIN);
    launch(new Program.Source("train.py", "ü".repeat(65_536)), PLAIN);
    launch(new Program.Source("train.py", "\0"), PLAIN);
    launch(new Program.Source("Train.java", "x", List.of("numpy"), List.of(), List.of()), PLAIN);
    launch(new Program.Command(List.of()), PLAIN);
    launch(new Program.Jar(" ", List.of(), List.of()), PLAIN);

    assertThat(problems)
        .extracting(FieldProblem::message)
        .satisfiesExactly(
            it -> assertThat(it).contains("has 131072 bytes: at most 131071"),
            it -> assertThat(it).contains("has 131072 bytes"),
            it -> assertThat(it).contains("has a character 0 in it"),
            it -> assertThat(it).contains("packages are for Python"),
            it -> assertThat(it).contains("say what to run"),
            it -> assertThat(it).contains("names no jar"));
  }

  /** The largest that is taken is really taken. */
  @Test
  void theLargestSourceArrives() throws Exception {
    fakeInterpreter("python", "wc -c <\"$1\"");

    assertThat(run(launch(new Program.Source("train.py", "x".repeat(131_071)), PLAIN)).strip())
        .isEqualTo("131071");
  }

  private Launch launch(Program program, String policy) {
    return Launch.of(program, Samples.usable(Samples.runtime(policy, "")), problems::add);
  }

  private String run(Launch launch) throws Exception {
    Process process = start(launch);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  /** As a container is started. */
  private Process start(Launch launch) throws IOException {
    List<String> words =
        new ArrayList<>(VariableExpansion.expandAll(launch.command(), Map.of("HOME", "/root")));
    words.addAll(launch.args());
    ProcessBuilder builder = new ProcessBuilder(words);
    builder
        .environment()
        .put(
            "PATH",
            folder
                + ":"
                + Path.of(System.getProperty("java.home"), "bin")
                + ":"
                + System.getenv("PATH"));
    builder.environment().put("TMPDIR", folder.toString());
    // The file's bytes are UTF-8 whatever this machine's locale is.
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }

  private void fakeInterpreter(String name, String... lines) throws IOException {
    Path script = folder.resolve(name);
    Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
