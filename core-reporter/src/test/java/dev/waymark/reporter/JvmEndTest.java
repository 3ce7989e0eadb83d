package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmEndTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "java.lang.Terminator$1, true",
    "jdk.internal.misc.Signal$1, true",
    "java.lang.Shutdown, false",
    "com.example.Terminator, false"
  })
  void isSignalledWhileAThreadHandlesASignal(String frame, boolean signalled) {
    List<StackTraceElement[]> stacks =
        List.of(stack("java.lang.Thread"), stack("java.lang.Shutdown", frame, "java.lang.Thread"));
    assertThat(JvmEnd.isSignalled(stacks)).isEqualTo(signalled);
  }

  @Test
  void isNotSignalledNow() {
    assertThat(JvmEnd.isSignalled()).isFalse();
    assertThat(JvmEnd.isSignalled(List.of())).isFalse();
  }

  private static StackTraceElement[] stack(String... types) {
    StackTraceElement[] stack = new StackTraceElement[types.length];
    for (int i = 0; i < types.length; i++) {
      stack[i] = new StackTraceElement(types[i], "run", "File.java", i);
    }
    return stack;
  }
}
