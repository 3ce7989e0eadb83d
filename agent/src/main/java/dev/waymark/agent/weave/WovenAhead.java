package dev.waymark.agent.weave;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;

/**
 * Classes of the version of a framework that the agent was built with, as the build has woven them.
 * A training with that very version is spared the check of all references, and ASM as a whole.
 *
 * <p>The jar holds none of these classes, but how each differs from its original: a zlib stream
 * whose preset dictionary is the original class file (RFC 1950). The stream has checksums of both,
 * by which a class of another version, or one that another agent has changed, is recognised.
 */
public final class WovenAhead {
  /** A preset dictionary is only seen as far back as that. */
  private static final int LARGEST_CLASS_FILE = 32 * 1024;

  private final AgentFiles agent;

  WovenAhead(AgentFiles agent) {
    this.agent = agent;
  }

  /**
   * Where the build puts the difference of a class, under {@code inst/}.
   *
   * @param className as in class files
   */
  public static String fileOf(String className) {
    return "dev/waymark/agent/weave/woven/" + className.replace('/', '.');
  }

  /**
   * The difference that weaving a class makes, for the build.
   *
   * @throws IllegalArgumentException if the class file is too large for it
   * @throws UnexpectedClassException if the class can't be woven
   */
  public static byte[] difference(byte[] classFile) throws IOException, UnexpectedClassException {
    if (classFile.length > LARGEST_CLASS_FILE) {
      throw new IllegalArgumentException("a class file of " + classFile.length + " bytes");
    }
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    deflater.setDictionary(classFile);
    ByteArrayOutputStream difference = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(difference, deflater)) {
      out.write(Weaver.weave(classFile));
    } finally {
      deflater.end();
    }
    return difference.toByteArray();
  }

  /**
   * The woven class.
   *
   * @param className as in class files
   * @return null if the build has not woven this class, or another version of it
   */
  byte[] weave(String className, byte[] classFile) throws IOException {
    byte[] difference = agent.read(fileOf(className));
    return difference == null ? null : apply(difference, classFile);
  }

  private static byte[] apply(byte[] difference, byte[] classFile) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(difference);
      ByteArrayOutputStream woven = new ByteArrayOutputStream(2 * classFile.length);
      byte[] part = new byte[4096];
      while (!inflater.finished()) {
        int length = inflater.inflate(part);
        woven.write(part, 0, length);
        if (inflater.needsDictionary()) {
          inflater.setDictionary(classFile);
        } else if (length == 0 && !inflater.finished()) {
          return null; // a difference that is cut off
        }
      }
      return woven.toByteArray();
    } catch (DataFormatException | IllegalArgumentException e) {
      return null; // by a checksum: it is another class
    } finally {
      inflater.end();
    }
  }
}
