package dev.waymark.controller;

import dev.waymark.controller.CommandLine.UsageException;
import dev.waymark.controller.ConfigurationReader.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the controller and ends the process with it: with 0 when it was told to end, with 1 when
 * it can't start or can't go on.
 */
public final class ControllerMain {

  private static final Logger log = LoggerFactory.getLogger(ControllerMain.class);

  private static final int FAILURE = 1;

  /** Runs until the process is told to end. */
  public static void main(String[] arguments) {
    CommandLine commandLine;
    ControllerConfiguration configuration;
    try {
      Optional<CommandLine> parsed = CommandLine.parse(arguments);
      if (parsed.isEmpty()) {
        System.out.print(CommandLine.USAGE);
        return;
      }
      commandLine = parsed.get();
      commandLine.log().install();
      configuration = configuration(commandLine);
    } catch (UsageException | InvalidConfigurationException | IOException e) {
      System.err.println(e.getMessage());
      System.exit(FAILURE);
      return;
    }
    run(commandLine, configuration);
  }

  /** What the file says, under what the flags say. */
  static ControllerConfiguration configuration(CommandLine commandLine)
      throws UsageException, InvalidConfigurationException, IOException {
    ControllerConfiguration configuration = ControllerConfiguration.DEFAULTS;
    if (commandLine.configuration().isPresent()) {
      Path file = commandLine.configuration().get();
      String text;
      try {
        text = Files.readString(file);
      } catch (IOException e) {
        throw new IOException("the configuration " + file + " can't be read: " + e, e);
      }
      configuration = ConfigurationReader.read(file.toString(), text);
    }
    return configuration.withFeatureGates(
        configuration.featureGates().with(FeatureGates.parse(commandLine.featureGates())));
  }

  private static void run(CommandLine commandLine, ControllerConfiguration configuration) {
    AtomicInteger code = new AtomicInteger();
    Controller controller =
        new Controller(
            commandLine,
            configuration,
            why -> {
              log.error("The controller ends: {}", why);
              code.set(FAILURE);
              // Not on a thread that the controller has to wait for when it closes.
              new Thread(() -> System.exit(FAILURE), "exit").start();
            });
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(controller, code), "shutdown"));
    try {
      controller.start();
    } catch (Exception e) {
      log.error("The controller can't start: {}", reason(e));
      log.debug("The controller can't start", e);
      code.set(FAILURE);
      System.exit(FAILURE);
    }
  }

  private static void close(Controller controller, AtomicInteger code) {
    log.info("The controller ends");
    controller.close();
    // Told to end by a signal the JVM would say 143; all is well, and Kubernetes should see that.
    Runtime.getRuntime().halt(code.get());
  }

  /** The messages of a failure and of what caused it, without repeats. */
  private static String reason(Throwable failure) {
    StringBuilder reason = new StringBuilder(failure.toString());
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && reason.indexOf(cause.getMessage()) < 0) {
        reason.append(": ").append(cause.getMessage());
      }
    }
    return reason.toString();
  }

  private ControllerMain() {}
}
