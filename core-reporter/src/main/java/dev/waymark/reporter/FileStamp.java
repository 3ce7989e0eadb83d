package dev.waymark.reporter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;

/**
 * Tells cheaply whether a file may have changed: time, size and identity of what its path leads to.
 * The identity counts because Kubernetes swaps a symlink, and the new file may have the old one's
 * time and size. Immutable.
 */
final class FileStamp {
  private final FileTime modified;
  private final long size;
  private final Object key;

  private FileStamp(BasicFileAttributes attributes) {
    modified = attributes.lastModifiedTime();
    size = attributes.size();
    key = attributes.fileKey();
  }

  /** Follows symlinks. */
  static FileStamp of(Path path) throws IOException {
    return new FileStamp(Files.readAttributes(path, BasicFileAttributes.class));
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof FileStamp)) {
      return false;
    }
    FileStamp that = (FileStamp) other;
    return modified.equals(that.modified) && size == that.size && Objects.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(modified, size, key);
  }
}
