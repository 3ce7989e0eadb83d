package dev.waymark.reporter;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What the person who runs the training has set: where reports go, and how.
 *
 * <p>Each setting is an environment variable, or the system property of the same name in lower case
 * with dots ({@code waymark.epochs} for {@code WAYMARK_EPOCHS}), which wins. A blank value counts
 * as not set. A wrong value is listed in {@link #problems()}; reporting is off if it is the server
 * or its CA, for any other the default holds.
 *
 * <p>Immutable.
 */
final class Settings {
  static final String SERVER_URL = "KUBEFLOW_TRAINER_SERVER_URL";
  static final String CA_CERT = "KUBEFLOW_TRAINER_SERVER_CA_CERT";
  static final String TOKEN = "KUBEFLOW_TRAINER_SERVER_TOKEN";
  static final String DISABLED = "DISABLE_KUBEFLOW_INTEGRATION";
  static final String ENABLED = "WAYMARK_ENABLED";
  static final String EPOCHS = "WAYMARK_EPOCHS";
  static final String START_EPOCH = "WAYMARK_START_EPOCH";
  static final String INTERVAL = "WAYMARK_INTERVAL";
  static final String LOG = "WAYMARK_LOG";

  private static final int DEFAULT_INTERVAL_SECONDS = 5;
  private static final int MOST_INTERVAL_SECONDS = 3600;

  private final URI server;
  private final Path caFile;
  private final Path tokenFile;
  private final int epochs;
  private final int startEpoch;
  private final Duration interval;
  private final Log.Level logLevel;
  private final Rank rank;
  private final List<String> problems;

  private Settings(Reader reader) {
    boolean wanted = reader.isWanted();
    URI url = wanted ? reader.serverUrl() : null;
    caFile = wanted ? reader.path(CA_CERT, "a PEM file with the server's CA certificates") : null;
    tokenFile = wanted ? reader.tokenFile() : null;
    server = reader.hasProblemWith(CA_CERT) ? null : url;
    epochs = reader.number(EPOCHS, 1, Integer.MAX_VALUE, 0);
    startEpoch = reader.number(START_EPOCH, 0, Integer.MAX_VALUE, 0);
    if (epochs > 0 && startEpoch > epochs) {
      reader.wrong(
          START_EPOCH,
          Integer.toString(startEpoch),
          "0 to " + epochs + ", which is " + EPOCHS,
          "how long the training is counts as unknown");
    }
    interval =
        Duration.ofSeconds(
            reader.number(INTERVAL, 1, MOST_INTERVAL_SECONDS, DEFAULT_INTERVAL_SECONDS));
    logLevel = reader.logLevel();
    rank = reader.rank();
    problems = wanted ? List.copyOf(reader.problems.values()) : List.of();
  }

  /**
   * Reads the settings.
   *
   * @param get the value of a setting by the name of its environment variable, null if it is not
   *     set
   */
  static Settings read(UnaryOperator<String> get) {
    return new Settings(new Reader(get));
  }

  /** A setting as this JVM has it: the system property, or else the environment variable. */
  static String ofThisJvm(String name) {
    try {
      String property = System.getProperty(name.toLowerCase(Locale.ROOT).replace('_', '.'));
      return property == null ? System.getenv(name) : property;
    } catch (SecurityException e) {
      // A security manager that hides a variable from us: it isn't set.
      return null;
    }
  }

  /** Whether there is a place to report to, and nobody has switched reporting off. */
  boolean isOn() {
    return server != null;
  }

  /** The status endpoint, an absolute https URL; null if reporting is off. */
  URI server() {
    return server;
  }

  /**
   * The PEM file with the CA certificates that the server is checked against; null means the JDK's
   * own.
   */
  Path caFile() {
    return caFile;
  }

  /** The file that holds the bearer token; null if there is none. */
  Path tokenFile() {
    return tokenFile;
  }

  /** The planned epochs, which win over what the program says; 0 if not set. */
  int epochs() {
    return epochs;
  }

  /** The epochs that were done before this session; 0 if not set. */
  int startEpoch() {
    return startEpoch;
  }

  /** The least time between two reports, 1 s or more. */
  Duration interval() {
    return interval;
  }

  Log.Level logLevel() {
    return logLevel;
  }

  Rank rank() {
    return rank;
  }

  /**
   * What is wrong with the settings, each with what would be right; empty where nobody wants
   * reports.
   */
  List<String> problems() {
    return problems;
  }

  /** Reads one setting at a time, and gathers what is wrong with them. */
  private static final class Reader {
    private static final int MOST_QUOTED = 100;

    private final UnaryOperator<String> get;

    /** By the name of the setting, in the order in which they are read. */
    private final Map<String, String> problems = new LinkedHashMap<>();

    Reader(UnaryOperator<String> get) {
      this.get =
          name -> {
            String value = get.apply(name);
            return value == null || value.isBlank() ? null : value.strip();
          };
    }

    boolean isWanted() {
      return get.apply(SERVER_URL) != null
          && !"TRUE".equalsIgnoreCase(get.apply(DISABLED))
          && isEnabled();
    }

    private boolean isEnabled() {
      String value = get.apply(ENABLED);
      if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
        wrong(ENABLED, value, "true or false", "it counts as true");
      }
      return !"false".equalsIgnoreCase(value);
    }

    URI serverUrl() {
      String value = get.apply(SERVER_URL);
      try {
        URI url = new URI(value);
        String problem = HttpsEndpoint.problemWith(url);
        if (problem == null) {
          return url;
        }
        problems.put(SERVER_URL, SERVER_URL + ": " + problem + "; nothing is reported");
      } catch (URISyntaxException e) {
        wrong(SERVER_URL, value, "an https URL", "nothing is reported");
      }
      return null;
    }

    Path path(String name, String whatItIs) {
      String value = get.apply(name);
      try {
        return value == null ? null : Path.of(value);
      } catch (InvalidPathException e) {
        wrong(name, value, "the path of " + whatItIs, "nothing is reported");
        return null;
      }
    }

    /** The value may be the token itself, put there by mistake: it must not get into the log. */
    Path tokenFile() {
      String value = get.apply(TOKEN);
      try {
        if (value != null) {
          return Path.of(value);
        }
        problems.put(
            TOKEN,
            TOKEN
                + " is not set; it should be the path of a token file; reports go without a token");
      } catch (InvalidPathException e) {
        problems.put(
            TOKEN,
            TOKEN
                + " is not a path; it should be that of a token file; reports go without a token");
      }
      return null;
    }

    int number(String name, int least, int most, int otherwise) {
      String value = get.apply(name);
      if (value == null) {
        return otherwise;
      }
      try {
        int number = Integer.parseInt(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Told below, like a number out of range.
      }
      String range = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most;
      String consequence = otherwise == 0 ? "it is ignored" : "it counts as " + otherwise;
      wrong(name, value, "a whole number, " + range, consequence);
      return otherwise;
    }

    Rank rank() {
      number(Rank.OVERRIDE, 0, Integer.MAX_VALUE, 0);
      return Rank.detect(get);
    }

    Log.Level logLevel() {
      String value = get.apply(LOG);
      if (value == null) {
        return Log.Level.INFO;
      }
      for (Log.Level level : Log.Level.values()) {
        if (level.name().equalsIgnoreCase(value)) {
          return level;
        }
      }
      wrong(LOG, value, "off, warn, info or debug", "it counts as info");
      return Log.Level.INFO;
    }

    boolean hasProblemWith(String name) {
      return problems.containsKey(name);
    }

    private void wrong(String name, String value, String right, String consequence) {
      problems.put(
          name, name + " is \"" + quoted(value) + "\"; it should be " + right + "; " + consequence);
    }

    /** An address may hold a password before its @. */
    private static String quoted(String value) {
      String known = value.substring(value.lastIndexOf('@') + 1);
      String shown =
          known.length() <= MOST_QUOTED ? known : known.substring(0, MOST_QUOTED) + "...";
      return known.length() == value.length() ? shown : "...@" + shown;
    }
  }
}
