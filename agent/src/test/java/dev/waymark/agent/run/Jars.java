package dev.waymark.agent.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/** The jars of the test's own class path, and jars made of them as people's builds make them. */
final class Jars {
  private static final Path TEST_LIB = Path.of(System.getProperty("agent.test.lib"));
  private static final Path TEST_CLASSES =
      Path.of(Jars.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  private Jars() {}

  /** The program and its plain engine: what a user's own build would put into a jar. */
  static Path program(Path folder) throws IOException {
    try (JarWriter jar = new JarWriter(folder.resolve("program.jar"), Map.of())) {
      jar.addProgram("");
      return jar.file;
    }
  }

  /** DJL as the project builds with it. */
  static Path djl() {
    return onClassPath("api-");
  }

  /** A DJL whose Trainer can be woven, but whose EasyTrain can't. */
  static Path halfWeavableDjl(Path folder) throws IOException {
    return changed(
        folder.resolve("half.jar"),
        djl(),
        ClassFiles.storingIntoAParameter("ai/djl/training/EasyTrain", "fit"));
  }

  static Path newestDjl() {
    return TEST_LIB.resolve("djl-newest.jar");
  }

  static Path jacocoAgent() {
    return TEST_LIB.resolve("jacoco-agent.jar");
  }

  /** What DJL itself needs to run. */
  static List<Path> djlNeeds() {
    return List.of(onClassPath("slf4j-api-"), onClassPath("jna-"), onClassPath("gson-"));
  }

  /** Deeplearning4j's own part that trains networks. */
  static Path dl4j() {
    return onClassPath("deeplearning4j-nn-");
  }

  /**
   * All that a program needs to train with Deeplearning4j, and more: nothing is Waymark's. Neither
   * is deeplearning4j-core, which the lean set does without.
   */
  static List<Path> dl4jAndItsNeeds() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> !isOf("waymark-", path) && !isOf("deeplearning4j-core-", path))
        .toList();
  }

  static boolean isOf(String prefix, Path jar) {
    return jar.getFileName().toString().startsWith(prefix);
  }

  static Path onClassPath(String prefix) {
    return allOnClassPath(prefix).get(0);
  }

  static List<Path> allOnClassPath(String... prefixes) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> Stream.of(prefixes).anyMatch(prefix -> isOf(prefix, path)))
        .toList();
  }

  /** One jar of everything, as shading makes it. */
  static Path shaded(Path file, List<Path> jars, Map<String, String> manifest) throws IOException {
    try (JarWriter shaded = new JarWriter(file, manifest)) {
      for (Path jar : jars) {
        shaded.addContentOf(jar, (name, bytes) -> bytes);
      }
    }
    return file;
  }

  /**
   * A copy in which each file may be changed: its name and content make its new content; null
   * leaves the file out.
   */
  static Path changed(Path file, Path jar, BiFunction<String, byte[], byte[]> change)
      throws IOException {
    Map<String, String> manifest = new LinkedHashMap<>();
    try (JarFile original = new JarFile(jar.toFile())) {
      original
          .getManifest()
          .getMainAttributes()
          .forEach((key, value) -> manifest.put(key.toString(), value.toString()));
    }
    try (JarWriter copy = new JarWriter(file, manifest)) {
      copy.addContentOf(jar, change);
    }
    return file;
  }

  /**
   * A shaded jar in which DJL's packages have moved to {@code my.djl}, as shading relocates them:
   * the new name is as long as the old one, so that constants keep their place.
   */
  static Path relocated(Path file, List<Path> jars, Map<String, String> manifest)
      throws IOException {
    try (JarWriter shaded = new JarWriter(file, manifest)) {
      for (Path jar : jars) {
        try (JarFile content = new JarFile(jar.toFile())) {
          for (JarEntry entry : content.stream().filter(found -> !found.isDirectory()).toList()) {
            try (InputStream in = content.getInputStream(entry)) {
              byte[] moved = moved(new String(in.readAllBytes(), ISO_8859_1)).getBytes(ISO_8859_1);
              shaded.add(moved(entry.getName()), moved);
            }
          }
        }
      }
    }
    return file;
  }

  private static String moved(String content) {
    return content.replace("ai/djl/", "my/djl/").replace("ai.djl.", "my.djl.");
  }

  /**
   * Spring Boot's layout: classes and whole jars inside the jar, and Boot's loader at its root.
   *
   * @param beside jars that stay outside, for the system's loader
   */
  static Path springBoot(Path file, String main, List<Path> jars, List<Path> beside)
      throws IOException {
    Map<String, String> manifest =
        Map.of(
            "Main-Class", "org.springframework.boot.loader.launch.JarLauncher",
            "Start-Class", main,
            "Spring-Boot-Classes", "BOOT-INF/classes/",
            "Spring-Boot-Lib", "BOOT-INF/lib/",
            "Class-Path", inManifest(beside));
    try (JarWriter boot = new JarWriter(file, manifest)) {
      boot.addContentOf(TEST_LIB.resolve("spring-boot-loader.jar"), (name, bytes) -> bytes);
      // Boot's loader finds a folder by its own entry (3.5.16).
      boot.add("BOOT-INF/classes/", new byte[0]);
      boot.addProgram("BOOT-INF/classes/");
      for (Path jar : jars) {
        boot.addStored("BOOT-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
      }
    }
    return file;
  }

  /** Jars as the attribute {@code Class-Path} names them. */
  static String inManifest(List<Path> jars) {
    return jars.stream().map(jar -> jar.toUri().toString()).collect(Collectors.joining(" "));
  }

  private static final class JarWriter implements AutoCloseable {
    private final Path file;
    private final JarOutputStream out;
    private final Set<String> names = new HashSet<>();

    JarWriter(Path file, Map<String, String> mainAttributes) throws IOException {
      this.file = file;
      Manifest manifest = new Manifest();
      Attributes attributes = manifest.getMainAttributes();
      attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
      mainAttributes.forEach((key, value) -> attributes.put(new Attributes.Name(key), value));
      OutputStream target = Files.newOutputStream(file);
      out = new JarOutputStream(target, manifest);
      names.add("META-INF/MANIFEST.MF");
    }

    void addProgram(String prefix) throws IOException {
      List<Path> files = new ArrayList<>();
      for (String part : List.of("example", "META-INF/services")) {
        try (Stream<Path> found = Files.walk(TEST_CLASSES.resolve(part))) {
          found.filter(Files::isRegularFile).forEach(files::add);
        }
      }
      for (Path found : files) {
        add(prefix + TEST_CLASSES.relativize(found), Files.readAllBytes(found));
      }
    }

    void addContentOf(Path jar, BiFunction<String, byte[], byte[]> change) throws IOException {
      try (JarFile content = new JarFile(jar.toFile())) {
        for (JarEntry entry : content.stream().toList()) {
          if (!entry.isDirectory() && !entry.getName().endsWith("module-info.class")) {
            try (InputStream in = content.getInputStream(entry)) {
              byte[] bytes = change.apply(entry.getName(), in.readAllBytes());
              if (bytes != null) {
                add(entry.getName(), bytes);
              }
            }
          }
        }
      }
    }

    /** Of two files with the same name the first stays, as with shading. */
    void add(String name, byte[] bytes) throws IOException {
      if (names.add(name)) {
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
      }
    }

    /** Boot's loader wants jars inside a jar uncompressed. */
    void addStored(String name, byte[] bytes) throws IOException {
      CRC32 checksum = new CRC32();
      checksum.update(bytes);
      ZipEntry entry = new ZipEntry(name);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(bytes.length);
      entry.setCrc(checksum.getValue());
      out.putNextEntry(entry);
      out.write(bytes);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
