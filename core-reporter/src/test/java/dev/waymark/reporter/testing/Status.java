package dev.waymark.reporter.testing;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A document that the reporter has sent. */
public final class Status {
  private static final Set<String> ENDS =
      Set.of("completed", "stopped_early", "diverged", "failed", "interrupted");

  private final String json;

  Status(String json) {
    this.json = json;
  }

  /** The value of a metric; null if it isn't there. */
  public String metric(String name) {
    return find("\\{\"name\":\"" + Pattern.quote(name) + "\",\"value\":\"([^\"]*)\"\\}");
  }

  public double number(String name) {
    String value = metric(name);
    if (value == null) {
      throw new AssertionError("no metric " + name + " in " + json);
    }
    return Double.parseDouble(value);
  }

  public String state() {
    return metric("state");
  }

  /** The percentage; null if it isn't there. */
  public Integer percent() {
    String value = find("\"progressPercentage\":(\\d+)");
    return value == null ? null : Integer.valueOf(value);
  }

  public boolean isEnd() {
    return ENDS.contains(state());
  }

  private String find(String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(json);
    return matcher.find() ? matcher.group(1) : null;
  }

  @Override
  public String toString() {
    return json;
  }
}
