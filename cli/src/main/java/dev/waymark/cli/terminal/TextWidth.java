package dev.waymark.cli.terminal;

import org.jline.utils.WCWidth;

/** How wide text is in columns of a terminal: a Chinese character takes two, an accent none. */
public final class TextWidth {

  private TextWidth() {}

  /** Of all of it. */
  public static int of(String text) {
    return text.codePoints().map(WCWidth::wcwidth).sum();
  }

  /** The beginning of it that is at most so wide. */
  public static String cut(String text, int columns) {
    int width = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      width += WCWidth.wcwidth(character);
      if (width > columns) {
        break;
      }
      end += Character.charCount(character);
    }
    return text.substring(0, end);
  }
}
