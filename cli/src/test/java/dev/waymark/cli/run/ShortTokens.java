package dev.waymark.cli.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Runs a command as {@code waymark run} does, with tokens that live for seconds. */
final class ShortTokens {

  private ShortTokens() {}

  /** Arguments: agent, folder of the history, seconds, command. */
  public static void main(String[] args) throws Exception {
    RunOptions options =
        new RunOptions(Path.of(args[0]), Path.of(args[1]))
            .withTokenLifetime(Duration.ofSeconds(Long.parseLong(args[2])));
    List<String> command = Arrays.asList(args).subList(3, args.length);
    System.exit(LocalRun.ofCommand(command, options).run());
  }
}
