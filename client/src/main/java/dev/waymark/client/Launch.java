package dev.waymark.client;

import dev.waymark.trainer.api.FieldProblem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Command and arguments with which a container starts a {@link Program}.
 *
 * @param command null leaves the runtime's
 * @param args null leaves the runtime's
 * @param isJvm whether it is a JVM, which is one process whatever the number of its CPUs
 */
record Launch(List<String> command, List<String> args, boolean isJvm) {

  private static final String COMMAND = "spec.trainer.command";

  /**
   * Linux takes no longer argument (MAX_ARG_STRLEN, its last byte being 0), whatever the API does.
   */
  private static final int LONGEST_ARGUMENT = 128 * 1024 - 1;

  /** Where the controllers of Kubeflow and of Waymark put it. */
  private static final List<String> MPIRUN = List.of("mpirun", "--hostfile", "/etc/mpi/hostfile");

  private static final List<String> SHELL = List.of("sh", "-c");

  /**
   * Writes the file, which is $1, under its name, $0. A folder of its own for each process: MPI
   * starts several on one host.
   */
  private static final String WRITE_SOURCE =
      """
      set -e
      folder=$(mktemp -d)
      printf '%s' "$1" >"$folder/$0"
      shift
      """;

  /**
   * Starts a program as a runtime has it.
   *
   * @param program null: what the runtime or its image starts by itself
   * @param problems takes what is wrong with the program
   */
  static Launch of(Program program, TrainerRuntime runtime, Consumer<FieldProblem> problems) {
    if (program == null) {
      return new Launch(null, null, false);
    }
    if (program instanceof Program.Command command) {
      if (command.command().isEmpty()) {
        problems.accept(new FieldProblem(COMMAND, "is empty: say what to run"));
      }
      // The runtime's arguments belong to the command that is replaced.
      return new Launch(command.command(), List.of(), startsJava(command.command()));
    }
    if (program instanceof Program.Arguments arguments) {
      return new Launch(null, arguments.args(), false);
    }
    if (program instanceof Program.Jar jar) {
      return java(jar, runtime, problems);
    }
    return source((Program.Source) program, runtime, problems);
  }

  private static boolean startsJava(List<String> command) {
    return !command.isEmpty()
        && (command.get(0).equals("java") || command.get(0).endsWith("/java"));
  }

  private static Launch java(
      Program.Jar jar, TrainerRuntime runtime, Consumer<FieldProblem> problems) {
    if (jar.path().isBlank()) {
      problems.accept(new FieldProblem(COMMAND, "names no jar: write its path in the image"));
    }
    List<String> command = new ArrayList<>(runtime.isMpi() ? MPIRUN : List.of());
    command.add("java");
    command.addAll(jar.javaOptions());
    command.add("-jar");
    command.add(jar.path());
    return new Launch(command, jar.args(), true);
  }

  private static Launch source(
      Program.Source source, TrainerRuntime runtime, Consumer<FieldProblem> problems) {
    check(source, problems);
    List<String> command = new ArrayList<>(runtime.isMpi() ? MPIRUN : List.of());
    command.addAll(SHELL);
    command.add(verbatim(script(source, runtime)));
    command.add(source.name());
    command.add(verbatim(source.text()));
    return new Launch(command, source.args(), !source.isPython());
  }

  private static void check(Program.Source source, Consumer<FieldProblem> problems) {
    // It becomes part of a path within a script.
    if (!source.name().matches("[A-Za-z0-9_][A-Za-z0-9_.-]*\\.(java|py)")) {
      problems.accept(
          new FieldProblem(
              COMMAND,
              "\""
                  + source.name()
                  + "\" is no source file: a name of letters, digits, _, . and -"
                  + " that ends in .java or .py"));
    }
    int bytes = source.text().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > LONGEST_ARGUMENT) {
      problems.accept(
          new FieldProblem(
              COMMAND,
              source.name()
                  + " has "
                  + bytes
                  + " bytes: at most "
                  + LONGEST_ARGUMENT
                  + ". Build a larger program into the image"));
    }
    if (source.text().indexOf('\0') >= 0) {
      problems.accept(
          new FieldProblem(COMMAND, source.name() + " has a character 0 in it: it is no text"));
    }
    if (!source.isPython() && !source.packages().isEmpty()) {
      problems.accept(
          new FieldProblem(
              COMMAND,
              "packages are for Python: give " + source.name() + " its libraries by the image"));
    }
  }

  private static String script(Program.Source source, TrainerRuntime runtime) {
    String interpreter = !source.isPython() ? "java" : runtime.isTorch() ? "torchrun" : "python";
    return WRITE_SOURCE + install(source) + "exec " + interpreter + " \"$folder/$0\" \"$@\"\n";
  }

  /** The user's own folder first, as the Kubeflow SDK does: not every image runs as root. */
  private static String install(Program.Source source) {
    if (source.packages().isEmpty()) {
      return "";
    }
    StringBuilder options = new StringBuilder();
    for (int i = 0; i < source.indexUrls().size(); i++) {
      options
          .append(i == 0 ? " --index-url " : " --extra-index-url ")
          .append(quoted(source.indexUrls().get(i)));
    }
    StringBuilder packages = new StringBuilder(" --");
    source.packages().forEach(it -> packages.append(' ').append(quoted(it)));
    return """
        export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_BREAK_SYSTEM_PACKAGES=1
        python -m pip --version >/dev/null 2>&1 || python -m ensurepip --user >/dev/null
        install() {
          python -m pip install --quiet --no-warn-script-location "$@"\
        """
        + options
        + packages
        + """

        }
        if ! install --user >"$folder/pip.log" 2>&1 && ! install >>"$folder/pip.log" 2>&1; then
          cat "$folder/pip.log" >&2
          exit 1
        fi
        """;
  }

  /** A word for a POSIX shell that stands for nothing but itself. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Kubernetes would take $(NAME) for a variable, and makes one $ of two. */
  private static String verbatim(String text) {
    return text.replace("$", "$$");
  }
}
