package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HookTest {
  private final List<String> lines = new ArrayList<>();
  private final Notices notices = new Notices(lines::add);

  @Test
  void looksForItsListenerOnceAndHandsOnEachCall() {
    List<Object> calls = new ArrayList<>();
    List<HookPoint> searches = new ArrayList<>();
    Hook hook =
        new Hook(
            HookPoint.STEPPED,
            () -> {
              searches.add(HookPoint.STEPPED);
              return (point, call, thrown) -> {
                assertThat(point).isEqualTo(HookPoint.STEPPED);
                calls.add(thrown == null ? call[0] : thrown);
              };
            },
            notices);
    Exception thrown = new Exception();

    hook.accept(new Object[] {"first"}, null);
    hook.accept(new Object[] {"second"}, thrown);

    assertThat(calls).containsExactly("first", thrown);
    assertThat(searches).hasSize(1);
    assertThat(lines).isEmpty();
  }

  @Test
  void aPointThatNobodyListensToIsQuiet() {
    Hook hook = new Hook(HookPoint.STEPPED, () -> null, notices);

    hook.accept(new Object[0], null);
    hook.accept(new Object[0], null);

    assertThat(lines).isEmpty();
  }

  static Stream<Throwable> problems() {
    return Stream.of(
        new IllegalStateException("broken"),
        new OutOfMemoryError("broken"),
        new AssertionError("broken"),
        new Exception("broken"));
  }

  @ParameterizedTest
  @MethodSource("problems")
  void whatAListenerThrowsGetsOneLineAndNoFurther(Throwable problem) {
    List<Object> calls = new ArrayList<>();
    Hook hook =
        hook(
            (point, call, thrown) -> {
              calls.add(call[0]);
              HookTest.<RuntimeException>sneak(problem);
            });

    hook.accept(new Object[] {1}, null);
    hook.accept(new Object[] {2}, null);

    assertThat(calls).as("may go better next time").containsExactly(1, 2);
    assertThat(lines).singleElement().asString().contains("STEPPED", problem.toString());
  }

  @Test
  void aListenerThatDoesNotLinkIsCalledOnlyOnce() {
    List<Object> calls = new ArrayList<>();
    Hook hook =
        hook(
            (point, call, thrown) -> {
              calls.add(call[0]);
              throw new NoSuchMethodError("renamed");
            });

    hook.accept(new Object[] {1}, null);
    hook.accept(new Object[] {2}, null);

    assertThat(calls).containsExactly(1);
    assertThat(lines).singleElement().asString().contains("STEPPED", "renamed");
  }

  @Test
  void aProblemThatHasOtherWordsEachTimeIsStillOneLine() {
    Hook hook =
        hook(
            (point, call, thrown) -> {
              throw new IllegalStateException("at call " + call[0]);
            });

    hook.accept(new Object[] {1}, null);
    hook.accept(new Object[] {2}, null);

    assertThat(lines).singleElement().asString().contains("at call 1");
  }

  @Test
  void aSearchThatFailsHurtsNobody() {
    Hook hook =
        new Hook(
            HookPoint.STEPPED,
            () -> {
              throw new ClassNotFoundException("ai.djl.training.Trainer");
            },
            notices);

    assertThatCode(() -> hook.accept(new Object[0], null)).doesNotThrowAnyException();
    assertThat(lines).hasSize(1);
  }

  private Hook hook(FrameworkSide side) {
    return new Hook(HookPoint.STEPPED, () -> side, notices);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable problem) throws T {
    throw (T) problem;
  }
}
