package dev.waymark.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Names the DJL that a loader sees, for a log line. */
final class DjlVersion {
  private DjlVersion() {}

  /** For instance {@code DJL 0.36.0}; the version is left out if it can't be read. */
  static String of(ClassLoader loader) {
    // The file that ai.djl.engine.Engine.getDjlVersion() reads (0.36.0).
    try (InputStream in = loader.getResourceAsStream("ai/djl/engine/api.properties")) {
      if (in != null) {
        Properties properties = new Properties();
        properties.load(in);
        return ("DJL " + properties.getProperty("djl_version", "")).trim();
      }
    } catch (IOException | RuntimeException e) {
      // A name without a version will do.
    }
    return "DJL";
  }
}
