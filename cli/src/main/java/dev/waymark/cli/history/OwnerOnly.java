package dev.waymark.cli.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files and folders that only their owner may look into, on systems that know such a thing. */
final class OwnerOnly {

  private OwnerOnly() {}

  /** Makes a folder, and the parents it lacks, with 0700 as the XDG rules ask for. */
  static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, attributes(directory, "rwx------"));
  }

  static FileAttribute<?>[] fileAttributes(Path path) {
    return attributes(path, "rw-------");
  }

  private static FileAttribute<?>[] attributes(Path path, String permissions) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
