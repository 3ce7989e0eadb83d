package dev.waymark.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A folder with the files {@code token} and {@code ca.crt}, laid out as kubelet lays out the
 * projected volume of a pod: both are symbolic links through {@code ..data} to a folder of one
 * generation, and a new generation takes over by one rename. A reader never sees half a file or
 * none.
 *
 * <p>Only the user may look inside: folders are 0700, files 0600.
 */
final class CredentialFolder implements AutoCloseable {

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Pattern NAME = Pattern.compile("waymark-([0-9]{1,18})-[0-9]+");

  /** Longer than from one renewal of the token to the next. */
  private static final Duration UNSEEN_LIFE = Duration.ofHours(1);

  private static final Path DATA = Path.of("..data");
  private static final String TOKEN = "token";
  private static final String CA_CERTIFICATE = "ca.crt";

  private final Path folder;
  private final String caCertificate;
  private Path current;
  private Path previous;

  private CredentialFolder(Path folder, String caCertificate) {
    this.folder = folder;
    this.caCertificate = caCertificate;
  }

  /** A new folder among the temporary files, which are rid of those that killed processes left. */
  static CredentialFolder create(String caCertificate, String token) throws IOException {
    String prefix = "waymark-" + ProcessHandle.current().pid() + "-";
    Path directory = Files.createTempDirectory(prefix, OWNERS_FOLDER).toRealPath();
    sweep(directory.getParent(), Files.getOwner(directory), Instant.now());
    CredentialFolder created = new CredentialFolder(directory, caCertificate);
    created.replaceToken(token);
    Files.createSymbolicLink(created.token(), DATA.resolve(TOKEN));
    Files.createSymbolicLink(created.caCertificate(), DATA.resolve(CA_CERTIFICATE));
    return created;
  }

  Path token() {
    return folder.resolve(TOKEN);
  }

  Path caCertificate() {
    return folder.resolve(CA_CERTIFICATE);
  }

  /** Lets a new generation with this token take over. */
  synchronized void replaceToken(String token) throws IOException {
    Path generation = Files.createTempDirectory(folder, "..", OWNERS_FOLDER);
    write(generation.resolve(TOKEN), token);
    write(generation.resolve(CA_CERTIFICATE), caCertificate);

    Path next = folder.resolve("..data_tmp");
    Files.deleteIfExists(next);
    Files.createSymbolicLink(next, generation.getFileName());
    Files.move(next, folder.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);

    // A reader may be on its way through the old link. (Kubelet does not wait for it.)
    if (previous != null) {
      delete(previous);
    }
    previous = current;
    current = generation;
  }

  /**
   * Deletes the folders of this user's processes that are gone. One that was written to within the
   * hour stays: its process may live where this one can't see it, in another container.
   */
  static void sweep(Path parent, UserPrincipal user, Instant now) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "waymark-*")) {
      for (Path candidate : folders) {
        if (isLeftBehind(candidate, user, now)) {
          delete(candidate);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another process sweeps as well, or the next one will.
    }
  }

  private static boolean isLeftBehind(Path candidate, UserPrincipal user, Instant now)
      throws IOException {
    Matcher name = NAME.matcher(candidate.getFileName().toString());
    return name.matches()
        && Files.isDirectory(candidate, LinkOption.NOFOLLOW_LINKS)
        && Files.getOwner(candidate, LinkOption.NOFOLLOW_LINKS).equals(user)
        && Files.getLastModifiedTime(candidate).toInstant().isBefore(now.minus(UNSEEN_LIFE))
        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
  }

  /** Deletes the folder, if it can. */
  @Override
  public synchronized void close() {
    try {
      delete(folder);
    } catch (IOException | DirectoryIteratorException e) {
      // No reason to end otherwise than the program did: the token has minutes to live, only its
      // owner can enter the folder, and a later run sweeps it away.
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createFile(file, OWNERS_FILE);
    Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
        for (Path child : children) {
          delete(child);
        }
      }
    }
    Files.deleteIfExists(path);
  }
}
