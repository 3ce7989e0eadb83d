package dev.waymark.agent.image;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What the agent's image runs as an init container: copies the agent's jar into a volume that the
 * training's container sees too. A program of its own, since the image has neither a shell nor cp;
 * not in the jar itself.
 */
public final class CopyAgent {
  private CopyAgent() {}

  /**
   * Copies, and ends the JVM: with 0, with 1 where it can't copy, with 2 for arguments that make no
   * sense.
   *
   * @param arguments the jar, which the image says itself, and the folder to copy it into
   */
  public static void main(String[] arguments) {
    System.exit(run(System.err, arguments));
  }

  static int run(PrintStream log, String... arguments) {
    if (arguments.length != 2) {
      log.println(
          "waymark-agent: give the folder into which the agent is to be copied, such as"
              + " /opt/waymark, as the only argument; there are "
              + Math.max(0, arguments.length - 1));
      return 2;
    }
    Path jar = Path.of(arguments[0]);
    Path folder = Path.of(arguments[1]);
    try {
      copy(jar, folder);
      return 0;
    } catch (NoSuchFileException e) {
      log.println("waymark-agent: can't copy the agent: there is no " + e.getFile());
    } catch (IOException e) {
      log.println("waymark-agent: can't copy the agent to " + folder + ": " + e);
    }
    return 1;
  }

  /**
   * The jar is whole as soon as it is there, and may be read by everybody: the training may run as
   * another user.
   */
  private static void copy(Path jar, Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    Path unfinished = folder.resolve(jar.getFileName() + ".unfinished");
    Files.copy(jar, unfinished, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(unfinished, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(unfinished, folder.resolve(jar.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }
}
