package dev.waymark.cli.text;

/** Text from reports without the characters that could act on a page or a terminal. */
public final class PrintableText {

  private static final int ZERO_WIDTH_NON_JOINER = 0x200C;
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private PrintableText() {}

  /**
   * The text without control characters, without invisible ones that reorder or hide text, and
   * without halves of surrogate pairs; line and paragraph breaks become spaces. Joiners stay: emoji
   * and several scripts are written with them.
   *
   * @param maxLength in UTF-16 units; longer text ends in an ellipsis
   */
  public static String of(String text, int maxLength) {
    StringBuilder printable = new StringBuilder(Math.min(text.length(), maxLength));
    int i = 0;
    while (i < text.length()) {
      int codePoint = text.codePointAt(i);
      int length = Character.charCount(codePoint);
      if (printable.length() + length > maxLength) {
        return printable.append('…').toString();
      }
      if (isBreak(codePoint)) {
        printable.append(' ');
      } else if (isPrintable(codePoint)) {
        printable.appendCodePoint(codePoint);
      }
      i += length;
    }
    return printable.toString();
  }

  private static boolean isBreak(int codePoint) {
    return codePoint == '\n'
        || codePoint == '\t'
        || Character.getType(codePoint) == Character.LINE_SEPARATOR
        || Character.getType(codePoint) == Character.PARAGRAPH_SEPARATOR;
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED -> false;
      case Character.FORMAT -> codePoint == ZERO_WIDTH_JOINER || codePoint == ZERO_WIDTH_NON_JOINER;
      default -> true;
    };
  }
}
