package dev.waymark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The files that a reporting program reads, as a volume of its pod would hold them. */
record ClientFiles(Path folder) {

  static ClientFiles in(Path folder) throws IOException {
    return new ClientFiles(Files.createDirectories(folder));
  }

  /** PEM file of the CA that the program trusts. */
  Path ca() {
    return folder.resolve("ca.crt");
  }

  Path token() {
    return folder.resolve("token");
  }

  void trust(LoopbackTls tls) throws IOException {
    replace(ca(), Files.readString(tls.certificate()));
  }

  void useToken(String token) throws IOException {
    replace(token(), token);
  }

  /** At once, as a kubelet does it: nobody reads half a file. */
  private void replace(Path file, String text) throws IOException {
    Path newer = Files.writeString(Files.createTempFile(folder, "newer", ""), text);
    Files.move(newer, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
