package dev.waymark.controller.webhook;

import java.util.List;
import java.util.stream.Collectors;

/** How Kubernetes tells several things at once. */
final class Texts {

  /** One as it is, several as {@code [a, b]}. */
  static String joined(List<?> things) {
    return things.size() == 1
        ? things.get(0).toString()
        : things.stream().map(Object::toString).collect(Collectors.joining(", ", "[", "]"));
  }

  private Texts() {}
}
