package dev.waymark.cli.run;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that stands in for the root of a TrainJob's image: absolute paths of the image are
 * looked up below it.
 *
 * @param folder absolute, exists
 */
record LocalRoot(Path folder) {

  /** A whole word, or what follows an "=", ":" or ",": an option's value, parts of a class path. */
  private static final Pattern ABSOLUTE_PATH = Pattern.compile("(?<![^=:,])/(?!/)[^=:,]*");

  /** What no image brings: the folders of the kernel, and the one of temporary files. */
  private static final Pattern OF_EVERY_CONTAINER =
      Pattern.compile("/+((dev|proc|sys|tmp)(/.*)?)?");

  /** The text with each absolute path that exists below the folder taken from there. */
  String resolveIn(String text) {
    return ABSOLUTE_PATH
        .matcher(text)
        .replaceAll(path -> Matcher.quoteReplacement(resolve(path.group())));
  }

  /**
   * The absolute paths in the text that do not exist below the folder, and so stay as they are; but
   * for those with a reference to a variable, and those that every container has of its own.
   */
  Stream<String> pathsOutside(String text) {
    return ABSOLUTE_PATH
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(path -> resolve(path).equals(path))
        .filter(path -> !path.contains("$(") && !OF_EVERY_CONTAINER.matcher(path).matches());
  }

  /** Where a folder of the image is, or null if it is not here. */
  Path directory(String imagePath) {
    Path here = below(imagePath);
    return here != null && Files.isDirectory(here) ? here : null;
  }

  private String resolve(String imagePath) {
    // "/app/lib/*" on a class path means the jars of a folder.
    boolean wildcard = imagePath.endsWith("/*");
    String path = wildcard ? imagePath.substring(0, imagePath.length() - 2) : imagePath;
    Path here = below(path);
    if (here == null || here.equals(folder) || !Files.exists(here)) {
      return imagePath;
    }
    return wildcard ? here + "/*" : here.toString();
  }

  private Path below(String imagePath) {
    try {
      Path here = folder.resolve(imagePath.replaceFirst("^/+", "")).normalize();
      return here.startsWith(folder) ? here : null;
    } catch (InvalidPathException notAPath) {
      return null;
    }
  }
}
