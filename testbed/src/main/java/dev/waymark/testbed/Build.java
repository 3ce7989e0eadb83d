package dev.waymark.testbed;

import java.util.Arrays;
import java.util.stream.Stream;

/** Finds the process that this JVM's tests belong to. */
final class Build {

  /** What Maven's command starts, in every version since 3.0. */
  private static final String MAVEN = "org.codehaus.plexus.classworlds.launcher.Launcher";

  private Build() {}

  /** The Maven that started this JVM, or this JVM itself, as in an IDE. */
  static ProcessHandle process() {
    ProcessHandle self = ProcessHandle.current();
    return Stream.iterate(self, p -> p.parent().isPresent(), p -> p.parent().get())
        .filter(Build::isMaven)
        .findFirst()
        .orElse(self);
  }

  private static boolean isMaven(ProcessHandle process) {
    return process
        .info()
        .arguments()
        .map(Arrays::asList)
        .filter(a -> a.contains(MAVEN))
        .isPresent();
  }
}
