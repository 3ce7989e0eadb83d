package dev.waymark.cli.cluster;

import dev.waymark.client.ClusterAccess;
import dev.waymark.client.Listing;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command for a cluster. What it is asked for goes to standard output, all else to standard
 * error; what goes wrong is a line and an exit code, never a stack trace.
 */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      ExitCodes.DONE_TEXT,
      ExitCodes.FAILED_TEXT,
      ExitCodes.WRONG_TEXT,
      ExitCodes.NOT_FOUND_TEXT,
      ExitCodes.TIMED_OUT_TEXT,
      ExitCodes.REFUSED_TEXT,
      ExitCodes.DEFECT_TEXT,
      ExitCodes.UNREAD_TEXT
    },
    footerHeading = "%nExample:%n")
abstract class ClusterCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ClusterOptions cluster;

  /**
   * Does what the command is for.
   *
   * @return the exit code
   * @throws IOException if a file can't be read; its message is for the user
   */
  abstract int run(TrainerClient client) throws IOException, InterruptedException;

  /** For each call of the API server. */
  Duration callTimeout() {
    return ClusterAccess.standard().callTimeout();
  }

  @Override
  public final Integer call() {
    try (TrainerClient client = cluster.connect(callTimeout())) {
      return run(client);
    } catch (TrainerException e) {
      e.getMessage().lines().forEach(line -> err().println("waymark: " + line));
      return ExitCodes.of(e);
    } catch (IOException e) {
      e.getMessage().lines().forEach(line -> err().println("waymark: " + line));
      return ExitCodes.WRONG;
    } catch (ClosedOutput nobodyReads) {
      return ExitCodes.UNREAD;
    } catch (InterruptedException endedBySignal) {
      return ExitCodes.FAILED; // which nobody sees: the JVM has an exit code of its own then
    } finally {
      out().flush();
    }
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  final CommandSpec spec() {
    return spec;
  }

  /** Says what a listing left out, and why. */
  final void tellSkipped(Listing<?> found) {
    found.skipped().forEach(it -> err().println("waymark: Left out: " + it));
  }

  /** What to throw where options don't go together. */
  final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
