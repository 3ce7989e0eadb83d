package dev.waymark.samples.dl4j;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Tells, in bytes, how much memory this JVM believes it may use, and at what size arrays are
 * refused.
 */
public final class MemoryLimits {
  private static final long PIECE = 8 << 20;

  private MemoryLimits() {}

  public static void main(String[] arguments) {
    System.out.println("heap: " + Runtime.getRuntime().maxMemory());
    System.out.println("arrays: " + Pointer.maxBytes());
    System.out.println("process: " + Pointer.maxPhysicalBytes());
    List<Pointer> kept = new ArrayList<>();
    try {
      while (kept.size() * PIECE <= 2 * Pointer.maxBytes()) {
        kept.add(new BytePointer(PIECE));
      }
    } catch (OutOfMemoryError e) {
      System.out.println("refused at: " + kept.size() * PIECE);
    }
  }
}
