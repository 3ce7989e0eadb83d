package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.agent.Bridge;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * What woven code does, for method bodies of many shapes: small classes of DJL's names are
 * compiled, woven, verified by the JVM and called.
 */
class WovenCodeTest {
  @TempDir Path folder;

  private final List<String> events = new ArrayList<>();
  private BiConsumer<Object[], Throwable> hook;

  @BeforeEach
  void recordWhatHooksHear() {
    Bridge.connect((woven, point) -> hookNamed(point));
    hook = null;
  }

  private BiConsumer<Object[], Throwable> hookNamed(String point) {
    return (call, thrown) -> {
      events.add(point + Arrays.toString(call) + (thrown == null ? "" : " " + thrown.getMessage()));
      if (hook != null) {
        hook.accept(call, thrown);
      }
    };
  }

  static Stream<Arguments> bodies() {
    return Stream.of(
        Arguments.of("straight", "events.add(\"body\");", null),
        Arguments.of("several returns", "if (n > 1) { events.add(\"body\"); return; }", null),
        Arguments.of(
            "a loop from the first instruction on",
            "while (events.size() < 2) { events.add(\"body\"); }",
            null),
        Arguments.of(
            "locals of all kinds",
            "long a = n; double b = a; String c = \"body\"; for (int i = 0; i < b; i++) {"
                + " if (i == n - 1) events.add(c); a += i; }",
            null),
        Arguments.of(
            "a handler of its own",
            "try { throw new IllegalStateException(\"inner\"); }"
                + " catch (RuntimeException e) { events.add(\"body\"); }",
            null),
        Arguments.of(
            "try and finally around a return",
            "try { if (n > 0) return; } finally { events.add(\"body\"); }",
            null),
        Arguments.of(
            "a monitor",
            "synchronized (events) { if (n > 0) { events.add(\"body\"); return; } }",
            null),
        Arguments.of(
            "a throw",
            "events.add(\"body\"); throw new IllegalStateException(\"thrown\");",
            "thrown"),
        Arguments.of(
            "a throw out of a monitor",
            "synchronized (events) { events.add(\"body\");"
                + " throw new IllegalStateException(\"thrown\"); }",
            "thrown"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void fitIsHeardBeforeAndAfter(String name, String body, String thrown) throws Exception {
    Method fit = fit(body);

    assertThat(call(fit)).isEqualTo(thrown);
    assertThat(events)
        .containsExactly(
            "FIT_STARTED[null, 3, null, null]",
            "body",
            "FIT_ENDED[null, 3, null, null]" + (thrown == null ? "" : " " + thrown));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void aHookThatThrowsChangesNothing(String name, String body, String thrown) throws Exception {
    hook =
        (call, ignored) -> {
          throw new AssertionError("a hook must not be heard");
        };
    Method fit = fit(body);

    assertThat(call(fit)).isEqualTo(thrown);
    assertThat(events).hasSize(3).contains("body");
  }

  @Test
  void withoutAnAgentBehindTheBridgeNothingHappens() throws Exception {
    Bridge.connect(
        (woven, point) -> {
          throw new IllegalStateException("no agent");
        });
    Method fit = fit("events.add(\"body\");");

    assertThat(call(fit)).isNull();
    assertThat(events).containsExactly("body");
  }

  @Test
  void aTrainerIsHeardWhenItIsConstructedAndWhenItIsUsed() throws Exception {
    Class<?> trainer =
        woven(
            "ai.djl.training.Trainer",
            """
            package ai.djl.training;
            public class Trainer {
              static final java.util.List<String> events = new java.util.ArrayList<>();
              public Trainer(ai.djl.Model model, TrainingConfig config) {
                this.toString();
                if (model != null) return;
                notifyListeners(null);
              }
              public final void notifyListeners(java.util.function.Consumer<?> consumer) {}
              public GradientCollector newGradientCollector() { return null; }
              public void step() {}
              public Iterable<ai.djl.training.dataset.Batch> iterateDataset(
                  ai.djl.training.dataset.Dataset data) {
                return data == null ? java.util.List.of() : null;
              }
              @Override public String toString() { return "trainer"; }
            }
            """);

    Object instance = trainer.getConstructors()[0].newInstance(null, null);
    trainer.getMethod("newGradientCollector").invoke(instance);
    trainer.getMethod("step").invoke(instance);
    Object batches =
        trainer.getMethods()[indexOf(trainer, "iterateDataset")].invoke(instance, (Object) null);

    assertThat(batches).isEqualTo(List.of());
    assertThat(events)
        .containsExactly(
            "LISTENERS_NOTIFIED[trainer, null]",
            "TRAINER_CREATED[trainer, null, null]",
            "GRADIENTS_COLLECTED[trainer, null]",
            "STEPPED[trainer]",
            "DATASET_ITERATED[trainer, null, []]");
  }

  @Test
  void aLongNumberIsHandedOver() throws Exception {
    Class<?> history =
        woven(
            "org.nd4j.autodiff.listeners.impl.HistoryListener",
            """
            package org.nd4j.autodiff.listeners.impl;
            import org.nd4j.autodiff.listeners.*;
            import org.nd4j.autodiff.listeners.records.*;
            import org.nd4j.autodiff.samediff.SameDiff;
            public class HistoryListener {
              static java.util.List<String> events = new java.util.ArrayList<>();
              public ListenerResponse epochEndEvaluations(
                  SameDiff sd, At at, LossCurve losses, long millis, EvaluationRecord record) {
                double seconds = millis / 1000.0;
                return seconds > 1 ? ListenerResponse.STOP : null;
              }
              public ListenerResponse validationDoneEvaluations(
                  SameDiff sd, At at, long millis, EvaluationRecord record) {
                return null;
              }
              @Override public String toString() { return "history"; }
            }
            """);

    Object instance = history.getConstructor().newInstance();
    Object response =
        history.getMethods()[indexOf(history, "epochEndEvaluations")].invoke(
            instance, null, null, null, 3_000_000_000L, null);

    assertThat(response).hasToString("STOP");
    assertThat(events)
        .containsExactly("SAMEDIFF_EPOCH_ENDED[history, null, null, null, 3000000000, null]");
  }

  @ParameterizedTest
  @CsvSource({"false,", "true, thrown"})
  void aTruthValueIsHandedOverAndAResultOnlyWhereThereIsOne(boolean throwing, String thrown)
      throws Exception {
    Class<?> trainer =
        woven(
            "org.deeplearning4j.earlystopping.trainer.BaseEarlyStoppingTrainer",
            """
            package org.deeplearning4j.earlystopping.trainer;
            import org.deeplearning4j.earlystopping.EarlyStoppingResult;
            public class BaseEarlyStoppingTrainer {
              static java.util.List<String> events = new java.util.ArrayList<>();
              protected EarlyStoppingResult<?> fit(boolean pretrain) {
                if (pretrain) throw new IllegalStateException("thrown");
                return new EarlyStoppingResult<>(null, null, null, 1, 0.5, 2, null);
              }
              protected void triggerEpochListeners(
                  boolean start, org.deeplearning4j.nn.api.Model model, int number) {}
              public static String run(boolean pretrain) {
                return String.valueOf(new BaseEarlyStoppingTrainer().fit(pretrain));
              }
              @Override public String toString() { return "trainer"; }
            }
            """);

    String message = null;
    Object result = null;
    try {
      result = trainer.getMethod("run", boolean.class).invoke(null, throwing);
    } catch (InvocationTargetException e) {
      message = e.getCause().getMessage();
    }

    assertThat(message).isEqualTo(thrown);
    assertThat(events)
        .containsExactly(
            "EARLY_STOPPING_STARTED[trainer, " + throwing + "]",
            "EARLY_STOPPING_ENDED[trainer, "
                + throwing
                + ", "
                + result
                + "]"
                + (throwing ? " thrown" : ""));
  }

  /** The real graph, which refuses to be evaluated before it is initialised. */
  @Test
  void everyWayToEvaluateAGraphIsHeard() throws Exception {
    List<String> heard = new ArrayList<>();
    Bridge.connect((owner, point) -> (call, thrown) -> heard.add(point));
    String name = "org.deeplearning4j.nn.graph.ComputationGraph";
    Class<?> woven;
    try (InputStream in =
        getClass().getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
      woven = new OneClassFirst(name, Weaver.weave(in.readAllBytes())).loadClass(name);
    }
    ComputationGraphConfiguration configuration = new ComputationGraphConfiguration();
    configuration.setNetworkInputs(List.of());
    configuration.setNetworkOutputs(List.of());
    Object graph =
        woven.getConstructor(ComputationGraphConfiguration.class).newInstance(configuration);
    Method ofAnOutput =
        woven.getMethod("doEvaluation", MultiDataSetIterator.class, IEvaluation[].class);
    Method ofSomeOutputs = woven.getMethod("evaluate", MultiDataSetIterator.class, Map.class);
    for (Method evaluation : List.of(ofAnOutput, ofSomeOutputs)) {
      heard.clear();
      assertThatThrownBy(() -> evaluation.invoke(graph, null, null))
          .hasRootCauseMessage("Cannot evaluate network with no output layer");
      assertThat(heard)
          .as(evaluation.getName())
          .containsExactly("EVALUATION_STARTED", "EVALUATION_ENDED");
    }
  }

  @Test
  void theAnswerAboutGpusCanBeReplaced() throws Exception {
    hook = (call, thrown) -> call[0] = ((String[]) call[0])[0].split("-");

    assertThat(askForGpus()).containsExactly("a", "b");
  }

  @Test
  void theAnswerAboutGpusStaysIfTheReplacementIsNoAnswer() throws Exception {
    hook = (call, thrown) -> call[0] = 1;

    assertThat(askForGpus()).containsExactly("a-b");
  }

  private String[] askForGpus() throws Exception {
    Class<?> utils =
        woven(
            "ai.djl.util.cuda.CudaUtils",
            """
            package ai.djl.util.cuda;
            public final class CudaUtils {
              static final java.util.List<String> events = new java.util.ArrayList<>();
              private static String[] execute(int device) {
                try {
                  if (device > 0) return new String[] {"a-b"};
                } catch (RuntimeException e) {
                  return null;
                }
                return new String[0];
              }
              public static String[] ask() { return execute(1); }
            }
            """);
    return (String[]) utils.getMethod("ask").invoke(null);
  }

  @Test
  void aMethodThatStoresIntoItsParametersIsRefused() {
    assertThatThrownBy(() -> fit("n = 2; events.add(\"body\");"))
        .isInstanceOf(UnexpectedClassException.class)
        .hasMessageContaining("fit(");
  }

  private Method fit(String body) throws Exception {
    Class<?> easyTrain =
        woven(
            "ai.djl.training.EasyTrain",
            """
            package ai.djl.training;
            import ai.djl.training.dataset.Dataset;
            public final class EasyTrain {
              static java.util.List<String> events = new java.util.ArrayList<>();
              public static void fit(Trainer trainer, int n, Dataset train, Dataset validate) {
                %s
              }
            }
            """
                .formatted(body));
    return easyTrain.getMethods()[indexOf(easyTrain, "fit")];
  }

  private static int indexOf(Class<?> owner, String method) {
    return Arrays.stream(owner.getMethods()).map(Method::getName).toList().indexOf(method);
  }

  /** Calls fit with three epochs; the message of what it throws. */
  private static String call(Method fit) throws IllegalAccessException {
    try {
      fit.invoke(null, null, 3, null, null);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause().getMessage();
    }
  }

  /** Compiles, weaves and loads a class, in place of the one with its name on the class path. */
  private Class<?> woven(String name, String source) throws Exception {
    compile(name, source);
    Path classFile = folder.resolve(name.replace('.', '/') + ".class");
    byte[] woven = Weaver.weave(Files.readAllBytes(classFile));
    Class<?> loaded = new OneClassFirst(name, woven).loadClass(name);
    var shared = loaded.getDeclaredField("events");
    shared.setAccessible(true);
    if (!java.lang.reflect.Modifier.isFinal(shared.getModifiers())) {
      shared.set(null, events);
    }
    return loaded;
  }

  private void compile(String name, String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(folder.toFile()));
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
      URI uri = URI.create("string:///" + name.replace('.', '/') + ".java");
      SimpleJavaFileObject file =
          new SimpleJavaFileObject(uri, SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
              return source;
            }
          };
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, Collections.singleton(file))
                  .call())
          .isTrue();
    }
  }
}
