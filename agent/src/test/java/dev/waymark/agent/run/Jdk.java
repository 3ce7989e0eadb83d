package dev.waymark.agent.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A JDK that programs run on: the one that runs the tests, and JDK 25 where its home is known. */
final class Jdk {
  private final String name;
  private final Path home;

  private Jdk(String name, Path home) {
    this.name = name;
    this.home = home;
  }

  /** The JDK that runs the tests. */
  static Jdk present() {
    return new Jdk("JDK " + Runtime.version().feature(), Path.of(System.getProperty("java.home")));
  }

  /** All JDKs to run with. One whose home is not known makes its test a visible skip. */
  static Stream<Jdk> all() {
    return Runtime.version().feature() == 25
        ? Stream.of(present())
        : Stream.of(present(), new Jdk("JDK 25", home25()));
  }

  private static Path home25() {
    String home = System.getProperty("java25.home", System.getenv("JAVA25_HOME"));
    return home == null || home.isBlank() ? null : Path.of(home);
  }

  boolean isKnown() {
    return home != null && Files.isDirectory(home);
  }

  Path java() {
    Assumptions.assumeTrue(isKnown(), name + " is not known: set JAVA25_HOME or -Djava25.home");
    return home.resolve("bin/java");
  }

  @Override
  public String toString() {
    return name;
  }
}
