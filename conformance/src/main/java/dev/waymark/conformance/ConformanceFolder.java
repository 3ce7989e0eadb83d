package dev.waymark.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where the golden data lies: in the source tree, not on the class path, since it is large. */
public final class ConformanceFolder {

  /** The folder {@code conformance} of the source tree that the working folder is in. */
  public static final Path PATH = find();

  private ConformanceFolder() {}

  private static Path find() {
    Path here = Path.of("").toAbsolutePath();
    return Stream.iterate(here, folder -> folder != null, Path::getParent)
        .map(folder -> folder.resolve("conformance"))
        .filter(folder -> Files.isDirectory(folder.resolve("inputs")))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no folder conformance/inputs above " + here + ": run in the source tree"));
  }
}
