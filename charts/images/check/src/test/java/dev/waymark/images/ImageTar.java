package dev.waymark.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarFile;

/**
 * An image as Jib wrote it into a docker archive: its configuration, and the files of its layers.
 */
final class ImageTar {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path FIRST_BUILD = Path.of("../tars/target/images");
  private static final Path SECOND_BUILD = Path.of("target/images");

  private final Path tar;
  private final JsonNode configuration;
  private final List<String> layers;

  private ImageTar(Path tar) throws IOException {
    this.tar = tar;
    try (TarFile archive = new TarFile(tar)) {
      JsonNode manifest = JSON.readTree(content(archive, "manifest.json")).get(0);
      configuration = JSON.readTree(content(archive, manifest.get("Config").asText()));
      layers = texts(manifest.get("Layers"));
    }
  }

  static ImageTar of(String name) throws IOException {
    return new ImageTar(FIRST_BUILD.resolve(name + ".tar"));
  }

  /** The digests of the first and of the second build of an image. */
  static List<String> digests(String name) throws IOException {
    return List.of(
        Files.readString(FIRST_BUILD.resolve(name + ".digest")),
        Files.readString(SECOND_BUILD.resolve(name + ".digest")));
  }

  /** What is told of the whole image: {@code architecture}, {@code os}, {@code created}. */
  JsonNode configuration() {
    return configuration;
  }

  List<String> entrypoint() {
    return texts(configuration.at("/config/Entrypoint"));
  }

  String user() {
    return configuration.at("/config/User").asText();
  }

  String workingFolder() {
    String folder = configuration.at("/config/WorkingDir").asText();
    return folder.isEmpty() ? "/" : folder;
  }

  Map<String, String> environment() {
    Map<String, String> variables = new TreeMap<>();
    for (String variable : texts(configuration.at("/config/Env"))) {
      String[] parts = variable.split("=", 2);
      variables.put(parts[0], parts[1]);
    }
    return variables;
  }

  /** All files and folders, by their paths in the image, which begin with a slash. */
  Map<String, TarArchiveEntry> entries() throws IOException {
    Map<String, TarArchiveEntry> entries = new TreeMap<>();
    forEachEntry((entry, content) -> entries.put("/" + entry.getName(), entry));
    return entries;
  }

  /** Lays the files out in a folder, with their permissions and times; they belong to us. */
  void unpack(Path root) throws IOException {
    forEachEntry(
        (entry, content) -> {
          Path path = root.resolve(entry.getName());
          if (entry.isDirectory()) {
            Files.createDirectories(path);
          } else {
            Files.createDirectories(path.getParent());
            Files.deleteIfExists(path);
            Files.copy(content, path);
            Files.setPosixFilePermissions(path, permissions(entry.getMode()));
            Files.setLastModifiedTime(path, entry.getLastModifiedTime());
          }
        });
  }

  @FunctionalInterface
  private interface EntryVisitor {
    void visit(TarArchiveEntry entry, InputStream content) throws IOException;
  }

  private void forEachEntry(EntryVisitor visitor) throws IOException {
    try (TarFile archive = new TarFile(tar)) {
      for (String layer : layers) {
        try (TarArchiveInputStream files =
            new TarArchiveInputStream(new GZIPInputStream(open(archive, layer)))) {
          for (TarArchiveEntry entry; (entry = files.getNextEntry()) != null; ) {
            visitor.visit(entry, files);
          }
        }
      }
    }
  }

  private static byte[] content(TarFile archive, String name) throws IOException {
    try (InputStream in = open(archive, name)) {
      return in.readAllBytes();
    }
  }

  private static InputStream open(TarFile archive, String name) {
    return archive.getEntries().stream()
        .filter(entry -> entry.getName().equals(name))
        .findFirst()
        .map(
            entry -> {
              try {
                return archive.getInputStream(entry);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .orElseThrow(() -> new IllegalStateException("the archive has no " + name));
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** Constants of PosixFilePermission stand in the order of the bits, the highest first. */
  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    List<PosixFilePermission> all = new ArrayList<>(List.of(PosixFilePermission.values()));
    for (int bit = 0; bit < all.size(); bit++) {
      if ((mode & (0400 >> bit)) != 0) {
        permissions.add(all.get(bit));
      }
    }
    return permissions;
  }
}
