package dev.waymark.cli.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** An agent that only tells that it is there, in a jar whose path has a space. */
public final class MarkingAgent {

  private MarkingAgent() {}

  public static void premain(String options) {
    System.setProperty("test.agent", "is here");
  }

  static Path jarIn(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", MarkingAgent.class.getName());
    Path jar = Files.createDirectories(folder.resolve("with space")).resolve("waymark-agent.jar");
    String entry = MarkingAgent.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry(entry));
      out.write(MarkingAgent.class.getClassLoader().getResourceAsStream(entry).readAllBytes());
    }
    return jar;
  }
}
