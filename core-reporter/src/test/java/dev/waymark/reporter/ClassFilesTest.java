package dev.waymark.reporter;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reporter lives in other people's JVMs: Java 11 is enough, and nothing but java.base. */
class ClassFilesTest {
  private static final int JAVA_11 = 55;

  @Test
  void areJava11() throws Exception {
    for (Path file : classFiles()) {
      try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
        assertThat(in.readInt()).isEqualTo(0xCAFEBABE);
        in.readUnsignedShort();
        assertThat(in.readUnsignedShort()).as("%s", file.getFileName()).isEqualTo(JAVA_11);
      }
    }
  }

  @Test
  void needJavaBaseOnly() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int status =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(out),
                new PrintWriter(err),
                "--print-module-deps",
                classes().toString());

    assertThat(err.toString()).isEmpty();
    assertThat(status).isZero();
    assertThat(out.toString().strip()).isEqualTo("java.base");
  }

  private static List<Path> classFiles() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.walk(classes())) {
      List<Path> classFiles = files.filter(f -> f.toString().endsWith(".class")).collect(toList());
      assertThat(classFiles).hasSizeGreaterThan(20);
      return classFiles;
    }
  }

  private static Path classes() throws URISyntaxException {
    return Path.of(TrainingRun.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
