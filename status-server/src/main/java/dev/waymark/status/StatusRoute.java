package dev.waymark.status;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a method and a request target ask for, by the rules of Go's {@code http.ServeMux}. */
sealed interface StatusRoute {

  /** The status of a TrainJob. */
  record Status(TrainJobKey trainJob) implements StatusRoute {}

  /**
   * The same resource, under its clean path.
   *
   * @param location path and query
   */
  record Redirect(String location) implements StatusRoute {}

  /** Nothing that this server has. */
  record NotFound() implements StatusRoute {}

  /** Nothing that could be a path. */
  record Malformed() implements StatusRoute {}

  /**
   * Finds the route.
   *
   * @param target of the request line: a path with its escapes and query, or an absolute URL
   */
  static StatusRoute of(String method, String target) {
    String originForm = originForm(target);
    int question = originForm.indexOf('?');
    String path = question < 0 ? originForm : originForm.substring(0, question);
    String query = question < 0 ? "" : originForm.substring(question);
    if (!path.startsWith("/") || hasControl(originForm)) {
      return new Malformed();
    }
    List<String> segments = new ArrayList<>();
    for (String escaped : path.substring(1).split("/", -1)) {
      String segment = unescape(escaped);
      if (segment == null) {
        return new Malformed();
      }
      segments.add(segment);
    }
    String clean = clean(path);
    if (!clean.equals(path)) {
      return new Redirect(toAscii(clean + query));
    }
    return method.equals("POST") ? match(segments) : new NotFound();
  }

  private static StatusRoute match(List<String> s) {
    boolean matches =
        s.size() == 8
            && s.get(0).equals("apis")
            && s.get(1).equals("trainer.kubeflow.org")
            && s.get(2).equals("v1alpha1")
            && s.get(3).equals("namespaces")
            && s.get(5).equals("trainjobs")
            && s.get(7).equals("status");
    return matches ? new Status(new TrainJobKey(s.get(4), s.get(6))) : new NotFound();
  }

  private static String originForm(String target) {
    if (!target.startsWith("https://") && !target.startsWith("http://")) {
      return target;
    }
    int path = target.indexOf('/', target.indexOf("//") + 2);
    return path < 0 ? "/" : target.substring(path);
  }

  private static boolean hasControl(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == 0x7f) {
        return true;
      }
    }
    return false;
  }

  /** The path without empty segments, {@code .} and {@code ..}; a slash at its end stays. */
  private static String clean(String path) {
    if (!path.contains("//") && !path.contains("/.")) {
      return path;
    }
    Deque<String> kept = new ArrayDeque<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.addLast(segment);
      }
    }
    String clean = "/" + String.join("/", kept);
    return path.endsWith("/") && !kept.isEmpty() ? clean + "/" : clean;
  }

  /** The segment without its {@code %XX} escapes (a plus stays a plus); null when one is broken. */
  private static String unescape(String segment) {
    if (isPlain(segment)) {
      return segment;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        bytes.write(c);
        continue;
      }
      if (i + 2 >= segment.length()) {
        return null;
      }
      int high = Character.digit(segment.charAt(i + 1), 16);
      int low = Character.digit(segment.charAt(i + 2), 16);
      if (high < 0 || low < 0) {
        return null;
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Whether a segment stands for itself: ASCII without an escape. */
  private static boolean isPlain(String segment) {
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%' || c > 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** Text of a header: the bytes of the request line that are no ASCII, escaped. */
  private static String toAscii(String latin1) {
    StringBuilder ascii = new StringBuilder(latin1.length());
    for (int i = 0; i < latin1.length(); i++) {
      char c = latin1.charAt(i);
      if (c < 0x7f) {
        ascii.append(c);
      } else {
        ascii.append(String.format("%%%02X", (int) c));
      }
    }
    return ascii.toString();
  }
}
