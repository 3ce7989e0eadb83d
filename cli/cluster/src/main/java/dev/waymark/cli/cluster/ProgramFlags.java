package dev.waymark.cli.cluster;

import dev.waymark.client.Program;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What a TrainJob runs, as flags say it. */
final class ProgramFlags {

  @Option(
      names = "--jar",
      paramLabel = "PATH",
      description = "Run this jar of the image; what follows -- are its arguments.")
  private String jar;

  @Option(
      names = "--java-option",
      paramLabel = "OPTION",
      description = "For the JVM of --jar, such as -Xmx8g; may be given several times.")
  private List<String> javaOptions = List.of();

  @Option(
      names = "--source",
      paramLabel = "FILE",
      description =
          "Send this source file along and run it: java FILE.java or python FILE.py; what follows"
              + " -- are its arguments.")
  private Path source;

  @Option(
      names = "--package",
      paramLabel = "PACKAGE",
      description = "For pip to install before a Python source runs; may be given several times.")
  private List<String> packages = List.of();

  @Option(
      names = "--index-url",
      paramLabel = "URL",
      description = "Where pip looks instead of PyPI; further ones come after it.")
  private List<String> indexUrls = List.of();

  /**
   * The program.
   *
   * @param words what follows the two dashes; may be empty
   * @return null if nothing is said
   * @throws IOException if the source file can't be read
   */
  Program program(List<String> words, CommandSpec spec) throws IOException {
    if (jar != null && source != null) {
      throw wrong(spec, "Either --jar or --source, not both");
    } else if (jar == null && !javaOptions.isEmpty()) {
      throw wrong(spec, "--java-option is for --jar");
    } else if (source == null && !(packages.isEmpty() && indexUrls.isEmpty())) {
      throw wrong(spec, "--package and --index-url are for --source");
    }
    if (jar != null) {
      return new Program.Jar(jar, javaOptions, words);
    } else if (source != null) {
      String text = read(source);
      return new Program.Source(source.getFileName().toString(), text, packages, indexUrls, words);
    }
    return words.isEmpty() ? null : new Program.Command(words);
  }

  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new IOException("--source: " + file + " is not there", e);
    } catch (MalformedInputException e) {
      throw new IOException("--source: " + file + " is no text in UTF-8", e);
    } catch (IOException e) {
      throw new IOException("--source: " + file + " can't be read: " + e.getMessage(), e);
    }
  }

  private static ParameterException wrong(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
