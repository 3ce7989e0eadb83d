package dev.waymark.controller;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the controller was started with. Flags are written as those of Kubernetes' own components:
 * {@code --name value}, {@code --name=value}, and {@code -name} for {@code --name}.
 *
 * <p>Parsed by hand, because a library for it costs a tenth of the time that the controller has for
 * its start.
 *
 * @param configuration file to read; empty: all defaults
 * @param featureGates text of the flag, over those of the file; empty when there is none
 * @param kubeconfig file with the way to the API server; empty: the usual places
 * @param operatorNamespace where the controller's own objects live; empty: the pod's namespace
 * @param certificates folder of tls.crt, tls.key and ca.crt
 * @param log how it logs
 */
public record CommandLine(
    Optional<Path> configuration,
    String featureGates,
    Optional<Path> kubeconfig,
    Optional<String> operatorNamespace,
    Path certificates,
    Logging log) {

  /** Where the image mounts the serving certificate, as upstream's does. */
  public static final Path DEFAULT_CERTIFICATES = Path.of("/tmp/k8s-webhook-server/serving-certs");

  /** What {@code --help} prints. */
  public static final String USAGE =
      """
      The Waymark controller: turns TrainJobs into JobSets and serves their progress.

        --config FILE               configuration (config.trainer.kubeflow.org/v1alpha1); default: all defaults
        --feature-gates A=true,...  gates, over those of the file
        --kubeconfig FILE           way to the API server; default: KUBECONFIG, the pod's account, ~/.kube/config
        --operator-namespace NS     namespace of the controller's own objects; default: the pod's, else kubeflow-system
        --cert-dir DIR              folder of tls.crt, tls.key and ca.crt; default: %s
        --log-format plain|json     default: plain
        --log-level LEVEL           error, warn, info or debug; default: info
        --help
      """
          .formatted(DEFAULT_CERTIFICATES);

  /** A flag that isn't known or can't be understood; the message is for the one who typed it. */
  public static final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
      super(message);
    }
  }

  /**
   * Reads the arguments.
   *
   * @return empty when help was asked for
   * @throws UsageException with all that is wrong
   */
  public static Optional<CommandLine> parse(String... arguments) throws UsageException {
    Parser parser = new Parser(List.of(arguments));
    return parser.parse();
  }

  private static final class Parser {

    private final List<String> arguments;
    private final List<String> problems = new ArrayList<>();
    private int next;

    private Optional<Path> configuration = Optional.empty();
    private String featureGates = "";
    private Optional<Path> kubeconfig = Optional.empty();
    private Optional<String> operatorNamespace = Optional.empty();
    private Path certificates = DEFAULT_CERTIFICATES;
    private Logging.Format format = Logging.Format.PLAIN;
    private Logging.Level level = Logging.Level.INFO;
    private boolean help;

    Parser(List<String> arguments) {
      this.arguments = arguments;
    }

    Optional<CommandLine> parse() throws UsageException {
      while (next < arguments.size()) {
        argument(arguments.get(next++));
      }
      if (help) {
        return Optional.empty();
      }
      if (!problems.isEmpty()) {
        throw new UsageException(String.join("\n", problems));
      }
      return Optional.of(
          new CommandLine(
              configuration,
              featureGates,
              kubeconfig,
              operatorNamespace,
              certificates,
              new Logging(format, level)));
    }

    private void argument(String argument) {
      if (!argument.startsWith("-") || argument.equals("-")) {
        problems.add("unexpected argument \"" + argument + "\": everything is given by flags");
        return;
      }
      String flag = argument.replaceFirst("^--?", "");
      int equals = flag.indexOf('=');
      String name = equals < 0 ? flag : flag.substring(0, equals);
      String given = equals < 0 ? null : flag.substring(equals + 1);
      switch (name) {
        case "help", "h" -> help = true;
        case "config" -> configuration = path(name, given);
        case "feature-gates" -> featureGates = value(name, given).orElse("");
        case "kubeconfig" -> kubeconfig = path(name, given);
        case "operator-namespace" -> operatorNamespace = value(name, given);
        case "cert-dir" -> certificates = path(name, given).orElse(certificates);
        case "log-format" ->
            format = Logging.Format.of(value(name, given).orElse("plain"), problems::add);
        case "log-level" ->
            level = Logging.Level.of(value(name, given).orElse("info"), problems::add);
        default -> problems.add("unknown flag --" + name + "; --help lists those there are");
      }
    }

    private Optional<Path> path(String flag, String given) {
      return value(flag, given).map(Path::of);
    }

    private Optional<String> value(String flag, String given) {
      String value = given;
      if (value == null && next < arguments.size()) {
        value = arguments.get(next++);
      }
      if (value == null || value.isEmpty()) {
        problems.add("--" + flag + " needs a value");
        return Optional.empty();
      }
      return Optional.of(value);
    }
  }
}
