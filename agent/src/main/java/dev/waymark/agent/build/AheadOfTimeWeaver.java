package dev.waymark.agent.build;

import dev.waymark.agent.weave.Framework;
import dev.waymark.agent.weave.HookPoint;
import dev.waymark.agent.weave.UnexpectedClassException;
import dev.waymark.agent.weave.WovenAhead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Weaves DJL's classes when the agent's jar is built, for {@link WovenAhead}. Those of
 * Deeplearning4j are too large for that. Not in the jar itself.
 */
public final class AheadOfTimeWeaver {
  private AheadOfTimeWeaver() {}

  /**
   * Writes how the woven classes differ from those of its own class path into the folder that
   * becomes {@code inst/}, given as the only argument.
   */
  public static void main(String[] arguments) throws IOException, UnexpectedClassException {
    Path folder = Path.of(arguments[0]);
    for (String className : HookPoint.hookedClasses(Framework.DJL)) {
      Path file = folder.resolve(WovenAhead.fileOf(className));
      Files.createDirectories(file.getParent());
      Files.write(file, WovenAhead.difference(classFile(className)));
    }
  }

  private static byte[] classFile(String className) throws IOException {
    String file = className + ".class";
    try (InputStream in = AheadOfTimeWeaver.class.getClassLoader().getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException(className + " is not on the class path");
      }
      return in.readAllBytes();
    }
  }
}
