package dev.waymark.cli.history;

import java.nio.file.Path;
import java.util.Map;

/** Where the history lies when nobody says otherwise, after the XDG Base Directory rules. */
final class StateDirectory {

  private StateDirectory() {}

  static Path locate(Map<String, String> environment, Path home) {
    String own = environment.getOrDefault("WAYMARK_STATE_DIR", "");
    if (!own.isBlank()) {
      return Path.of(own);
    }
    String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
    // "All paths set in these environment variables must be absolute": a relative one is ignored.
    Path base =
        !xdg.isBlank() && Path.of(xdg).isAbsolute() ? Path.of(xdg) : home.resolve(".local/state");
    return base.resolve("waymark");
  }
}
