package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/** The reporter lives in other people's JVMs, which may have no module but java.base. */
class ClassFilesTest {

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

  private static Path classes() throws URISyntaxException {
    return Path.of(TrainingRun.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
