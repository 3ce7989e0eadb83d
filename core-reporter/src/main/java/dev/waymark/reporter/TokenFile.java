package dev.waymark.reporter;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The file with the bearer token. Kubernetes renews it (a projected service account token, behind a
 * symlink that is swapped), so it is read for each request: that costs no more than asking whether
 * it has changed, and is never wrong.
 */
final class TokenFile {
  /** Real ones have 1 to 2 KiB. */
  private static final int MAX_BYTES = 16 * 1024;

  private final Path path;

  TokenFile(Path path) {
    this.path = path;
  }

  /**
   * The token as it is now, without surrounding blanks.
   *
   * @throws IOException whose message says what is wrong with the file
   */
  String read() throws IOException {
    String token = new String(bytes(), StandardCharsets.ISO_8859_1).trim();
    if (token.isEmpty()) {
      throw new IOException("the token file " + path + " is empty");
    }
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      // A line break would let a file write header fields of its own.
      throw new IOException("the token file " + path + " holds more than one token");
    }
    return token;
  }

  private byte[] bytes() throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IOException(
          Files.exists(path)
              ? "the token file " + path + " is no regular file"
              : "the token file " + path + " does not exist");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("the token file " + path + " is larger than 16 KiB, so no token");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new IOException("the token file " + path + " does not exist", e);
    } catch (java.nio.file.AccessDeniedException e) {
      throw new IOException("the token file " + path + " may not be read by this user", e);
    }
  }
}
