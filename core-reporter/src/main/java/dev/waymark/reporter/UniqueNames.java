package dev.waymark.reporter;

import java.util.HashSet;
import java.util.Set;

/**
 * Makes names of metrics that a strict server accepts: no blank ones, at most 64 characters, no
 * control characters, no half characters, no two alike. Characters are Unicode code points, as the
 * schema's {@code maxLength} counts them. Not thread-safe.
 */
final class UniqueNames {
  static final int MOST_CHARACTERS = 64;

  private static final char REPLACEMENT = '\uFFFD';

  private final Set<String> used = new HashSet<>();

  /**
   * @param name as the program gave it; may be null
   * @return the name to report, not given before; null if there is nothing to be made of it
   */
  String uniqueFor(String name) {
    String clean = name == null ? "" : clean(name);
    if (clean.isEmpty()) {
      return null;
    }
    String unique = clean;
    for (int i = 2; !used.add(unique); i++) {
      String suffix = "~" + i;
      unique = cut(clean, MOST_CHARACTERS - suffix.length()) + suffix;
    }
    return unique;
  }

  private static String clean(String name) {
    String start = cut(name.strip(), MOST_CHARACTERS);
    StringBuilder clean = new StringBuilder(start.length());
    start
        .codePoints()
        .map(c -> Character.isISOControl(c) || isSurrogate(c) ? REPLACEMENT : c)
        .forEach(clean::appendCodePoint);
    return clean.toString().stripTrailing();
  }

  private static String cut(String text, int characters) {
    return text.codePointCount(0, text.length()) <= characters
        ? text
        : text.substring(0, text.offsetByCodePoints(0, characters));
  }

  /** As a code point of its own, a surrogate is half of a character whose other half is missing. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
