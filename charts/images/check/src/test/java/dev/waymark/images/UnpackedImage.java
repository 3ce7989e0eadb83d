package dev.waymark.images;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs what a container of an image would: the image's command with its variables, in its working
 * folder, with its files as the root, a /proc and a /dev/urandom, and with no file of this machine.
 */
final class UnpackedImage {

  private static final long LIMIT_SECONDS = 120;

  private final ImageTar image;
  private final Path root;

  /**
   * Unpacks it.
   *
   * @param folder empty
   */
  UnpackedImage(ImageTar image, Path folder) throws IOException {
    this.image = image;
    root = Files.createDirectory(folder.resolve("root"));
    image.unpack(root);
    Files.createDirectories(root.resolve("proc"));
    // No device, which only root can make: a file that is read as if it were one.
    byte[] random = new byte[1 << 16];
    new SecureRandom().nextBytes(random);
    Files.createDirectories(root.resolve("dev"));
    Files.write(root.resolve("dev/urandom"), random);
  }

  /** Where a file of the container lies outside of it. */
  Path file(String path) {
    return root.resolve(path.substring(1));
  }

  record Outcome(int status, String output) {}

  Outcome start(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(image.entrypoint());
    command.addAll(List.of(arguments));
    return run(command);
  }

  Outcome run(List<String> command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add("/usr/bin/unshare");
    if (!isRoot()) {
      words.add("--map-root-user");
    }
    words.addAll(List.of("--mount", "--pid", "--fork", "--kill-child", "--mount-proc"));
    words.addAll(List.of("--root=" + root, "--wd=" + image.workingFolder()));
    words.addAll(command);
    Path output = root.resolveSibling("output");
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().clear();
    builder.environment().putAll(image.environment());
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("no end: " + words + "\n" + Files.readString(output, UTF_8));
    }
    return new Outcome(process.exitValue(), Files.readString(output, UTF_8));
  }

  private static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }
}
