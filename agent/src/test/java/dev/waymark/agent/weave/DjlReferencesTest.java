package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.build.ReferenceCollector;
import dev.waymark.agent.djl.DjlSide;
import dev.waymark.djl.TrainerProgress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DjlReferencesTest {

  @ParameterizedTest(name = "{0}: missing {1}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ai/djl/training/Trainer                                        | -
          ai/djl/training/Trainer step ()V                               | -
          ai/djl/training/Trainer getModel ()Lai/djl/Model;              | -
          ai/djl/training/loss/SoftmaxCrossEntropyLoss getName ()Ljava/lang/String;                | -
          ai/djl/ndarray/NDArray close ()V                               | -
          ai/djl/training/dataset/ArrayDataset size ()J                  | -
          ai/djl/ndarray/types/DataType FLOAT32 Lai/djl/ndarray/types/DataType;                    | -
          ai/djl/ndarray/types/DataType name ()Ljava/lang/String;        | -
          ai/djl/util/cuda/CudaUtils execute (I)[Ljava/lang/String;      | -
          ai/djl/training/Coach                                          | ai.djl.training.Coach
          ai/djl/training/Trainer advance ()V                            | ai.djl.training.Trainer.advance()V
          ai/djl/training/Trainer step (I)V                              | ai.djl.training.Trainer.step(I)V
          ai/djl/training/Coach step ()V                                 | ai.djl.training.Coach.step()V
          """)
  void aReferenceIsThereIfDjlDeclaresOrInheritsIt(String reference, String missing) {
    DjlReferences references = new DjlReferences(List.of(reference));

    assertThat(references.firstMissingIn(getClass().getClassLoader())).isEqualTo(missing);
  }

  @Test
  void everythingTheAgentAsksForIsInTheNewestDjl() throws Exception {
    String collected = String.join("\n", collected());
    DjlReferences references =
        DjlReferences.read(file -> collected.getBytes(StandardCharsets.UTF_8));

    try (URLClassLoader newest =
        new URLClassLoader(
            new URL[] {Path.of(System.getProperty("djl.newest.api")).toUri().toURL()},
            ClassLoader.getPlatformClassLoader())) {
      assertThat(references.firstMissingIn(newest)).isNull();
    }
  }

  @Test
  void theCollectorSeesCallsLambdasAndTypes() throws Exception {
    assertThat(collected())
        .contains(
            "ai/djl/training/TrainingConfig getOptimizer ()Lai/djl/training/optimizer/Optimizer;",
            "ai/djl/training/listener/TrainingListener",
            "ai/djl/ndarray/NDArray")
        .allMatch(reference -> reference.startsWith("ai/djl/"));
  }

  private static SortedSet<String> collected() throws Exception {
    SortedSet<String> references = new TreeSet<>();
    for (Class<?> member : List.of(DjlSide.class, TrainerProgress.class)) {
      URI classFile = member.getResource(member.getSimpleName() + ".class").toURI();
      // The listener is packed before this module's tests run in a full build.
      boolean packed = classFile.getScheme().equals("jar");
      FileSystem jar = packed ? FileSystems.newFileSystem(classFile, Map.of()) : null;
      references.addAll(ReferenceCollector.collect(List.of(Path.of(classFile).getParent())));
      if (packed) {
        jar.close();
      }
    }
    return references;
  }
}
