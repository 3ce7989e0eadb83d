package dev.waymark.samples.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source tree as somebody has just cloned it: nothing is built, and all is new. Its launcher
 * builds with a real Maven, offline, from what this build has downloaded.
 */
public final class FreshClone {
  private static final Path TREE = Paths.get("../..").toAbsolutePath().normalize();

  private final Path root;
  private final Path maven;

  private FreshClone(Path root, Path maven) {
    this.root = root;
    this.maven = maven;
  }

  /** Whether there is a Maven: the one that runs the tests, or one that the shell would find. */
  public static boolean isBuildable() {
    return maven() != null;
  }

  /** Makes one in an empty folder. */
  public static FreshClone in(Path folder) throws IOException {
    FreshClone clone = new FreshClone(folder, Objects.requireNonNull(maven(), "Maven"));
    try (Stream<Path> entries = Files.list(TREE)) {
      for (Path entry : entries.filter(FreshClone::isSource).collect(Collectors.toList())) {
        clone.copy(entry);
      }
    }
    Files.write(folder.resolve(".mvn/maven.config"), mavenOptions());
    return clone;
  }

  /** Changes a file of it. */
  public void edit(String file, String before, String after) throws IOException {
    String text = Files.readString(root.resolve(file));
    if (!text.contains(before)) {
      throw new AssertionError("no '" + before + "' in " + file);
    }
    Files.writeString(root.resolve(file), text.replace(before, after));
  }

  /** Makes a file newer than whatever has been built. */
  public void touch(String file) throws IOException {
    Files.setLastModifiedTime(root.resolve(file), FileTime.from(Instant.now()));
  }

  /** Runs the launcher in it to its end, as the README says. */
  public Outcome waymark(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("./waymark"));
    command.addAll(Arrays.asList(arguments));
    return Command.run(
        root,
        Map.of(
            "JAVA_HOME", System.getProperty("java.home"),
            "PATH", maven.getParent() + File.pathSeparator + System.getenv("PATH"),
            "WAYMARK_STATE_DIR", root.resolve("target/waymark-state").toString()),
        command);
  }

  /** What a build reads: the modules, what Maven is told, and the files beside them. */
  private static boolean isSource(Path entry) {
    return Files.isRegularFile(entry)
        || Files.exists(entry.resolve("pom.xml"))
        || entry.endsWith("samples")
        || entry.endsWith(".mvn");
  }

  private void copy(Path entry) throws IOException {
    Files.walkFileTree(
        entry,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (folder.endsWith("target")) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(copyOf(folder));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, copyOf(file));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private Path copyOf(Path file) {
    return root.resolve(TREE.relativize(file).toString());
  }

  /** As Maven reads them from a file: one a line. */
  private static List<String> mavenOptions() {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--offline",
                // Whichever repository a file came from: the settings may call it otherwise here.
                "-Daether.enhancedLocalRepository.trackingFilename=not-tracked"));
    String repository = System.getProperty("localRepository"); // as Surefire tells it
    if (repository != null) {
      options.add("-Dmaven.repo.local=" + repository);
    }
    return options;
  }

  /** The program {@code mvn}; null if there is none. */
  private static Path maven() {
    String home = System.getProperty("maven.home");
    Stream<Path> ofThisBuild = home == null ? Stream.of() : Stream.of(Paths.get(home, "bin"));
    Stream<Path> ofTheShell =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(Paths::get);
    return Stream.concat(ofThisBuild, ofTheShell)
        .map(folder -> folder.resolve("mvn").toAbsolutePath())
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}
