package dev.waymark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivationTest {

  @ParameterizedTest(name = "URL {0}, disabled {1}, enabled {2}, command {3}")
  @CsvSource(
      nullValues = "-",
      textBlock =
          """
          -,         -,     -,       example.Main fit,                        false
          '',        -,     -,       example.Main fit,                        false
          ' ',       -,     -,       example.Main fit,                        false
          https://a, -,     -,       example.Main fit,                        true
          https://a, -,     -,       '',                                      true
          https://a, TRUE,  -,       example.Main fit,                        false
          https://a, true,  -,       example.Main fit,                        false
          https://a, FALSE, -,       example.Main fit,                        true
          https://a, '',    -,       example.Main fit,                        true
          https://a, -,     false,   example.Main fit,                        false
          https://a, -,     ' False ', example.Main fit,                      false
          https://a, -,     true,    example.Main fit,                        true
          https://a, -,     perhaps, example.Main fit,                        true
          https://a, -,     -,       jdk.jcmd/sun.tools.jps.Jps -l,           false
          https://a, -,     -,       jdk.compiler/com.sun.tools.javac.Main,   false
          https://a, -,     -,       jdk.compiler/com.sun.tools.javac.launcher.Main T.java, true
          https://a, -,     -,       jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher T.java, true
          https://a, -,     -,       jdk.example.Main,                        true
          https://a, -,     -,       my.module/example.Main jdk.jcmd/x,       true
          https://a, -,     -,       ai.djl.util.cuda.CudaUtils,              false
          https://a, -,     -,       ai.djl.util.cuda.CudaUtils 0,            false
          https://a, -,     -,       example.Main ai.djl.util.cuda.CudaUtils, true
          """)
  void attachesOnlyWhereATrainingIsToBeReported(
      String url, String disabled, String enabled, String command, boolean wanted) {
    assertThat(Activation.isWanted(url, disabled, enabled, command)).isEqualTo(wanted);
  }
}
