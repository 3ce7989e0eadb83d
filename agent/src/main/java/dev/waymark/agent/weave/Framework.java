package dev.waymark.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** The frameworks that the agent knows, and where the parts of each lie. */
@SuppressWarnings("ImmutableEnumChecker") // its lists are immutable
public enum Framework {
  DJL(
      "DJL",
      "ai.djl.training.Trainer",
      "dev.waymark.agent.djl.DjlSide",
      List.of("dev.waymark.djl.", "dev.waymark.agent.djl."),
      List.of("ai/djl/"),
      // The file that ai.djl.engine.Engine.getDjlVersion() reads (0.36.0).
      "ai/djl/engine/api.properties",
      "djl_version"),
  DL4J(
      "Deeplearning4j",
      "org.deeplearning4j.nn.multilayer.MultiLayerNetwork",
      "dev.waymark.agent.dl4j.Dl4jSide",
      List.of("dev.waymark.dl4j.", "dev.waymark.agent.dl4j."),
      List.of("org/deeplearning4j/", "org/nd4j/"),
      "META-INF/maven/org.deeplearning4j/deeplearning4j-nn/pom.properties",
      "version"),
  /** A part of ND4J, and so there without Deeplearning4j too. */
  SAMEDIFF(
      "SameDiff",
      "org.nd4j.autodiff.samediff.SameDiff",
      "dev.waymark.agent.dl4j.SameDiffSide",
      List.of("dev.waymark.dl4j.", "dev.waymark.agent.dl4j."),
      List.of("org/deeplearning4j/", "org/nd4j/"),
      "META-INF/maven/org.nd4j/nd4j-api/pom.properties",
      "version");

  private final String title;
  private final String anchor;
  private final String side;
  private final List<String> packagesBeside;
  private final List<String> ownPackages;
  private final String versionFile;
  private final String versionKey;

  Framework(
      String title,
      String anchor,
      String side,
      List<String> packagesBeside,
      List<String> ownPackages,
      String versionFile,
      String versionKey) {
    this.title = title;
    this.anchor = anchor;
    this.side = side;
    this.packagesBeside = packagesBeside;
    this.ownPackages = ownPackages;
    this.versionFile = versionFile;
    this.versionKey = versionKey;
  }

  /** The framework's class that what the agent makes for a copy of it lives as long as. */
  String anchor() {
    return anchor;
  }

  /**
   * The agent's class that is compiled against the framework, a {@link FrameworkSide} that is made
   * without arguments.
   */
  public String side() {
    return side;
  }

  /** Whether a class is one of those that are defined beside each copy of the framework. */
  public boolean isBeside(String className) {
    return packagesBeside.stream().anyMatch(className::startsWith);
  }

  /** Whether a class, by its name in class files, is the framework's own. */
  public boolean owns(String internalName) {
    return ownPackages.stream().anyMatch(internalName::startsWith);
  }

  /** Where the build puts what the side asks of the framework, under {@code inst/}. */
  public String referencesFile() {
    return "dev/waymark/agent/weave/references-" + name().toLowerCase(Locale.ROOT) + ".txt";
  }

  /**
   * The copy that a loader sees, for a log line: {@code DJL 0.36.0}. The version is left out if it
   * can't be read.
   */
  String in(ClassLoader loader) {
    try (InputStream in = loader.getResourceAsStream(versionFile)) {
      if (in != null) {
        Properties properties = new Properties();
        properties.load(in);
        return (title + ' ' + properties.getProperty(versionKey, "")).trim();
      }
    } catch (IOException | RuntimeException e) {
      // A name without a version will do.
    }
    return title;
  }

  @Override
  public String toString() {
    return title;
  }
}
