package dev.waymark.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.agent.build.ReferenceCollector;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FrameworkReferencesTest {

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
    FrameworkReferences references = new FrameworkReferences(List.of(reference));

    assertThat(references.firstMissingIn(getClass().getClassLoader())).isEqualTo(missing);
  }

  @Test
  void everythingTheAgentAsksForIsInTheNewestDjl() throws Exception {
    try (URLClassLoader newest =
        new URLClassLoader(
            new URL[] {Path.of(System.getProperty("djl.newest.api")).toUri().toURL()},
            ClassLoader.getPlatformClassLoader())) {
      assertThat(asked(Framework.DJL).firstMissingIn(newest)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everythingTheAgentAsksForIsInTheFrameworkThatItIsBuiltWith(Framework framework)
      throws Exception {
    assertThat(asked(framework).firstMissingIn(getClass().getClassLoader())).isNull();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "DJL, 'ai/djl/training/TrainingConfig getOptimizer ()Lai/djl/training/optimizer/Optimizer;'",
    "DJL, ai/djl/training/listener/TrainingListener",
    "DJL, ai/djl/ndarray/NDArray",
    "DL4J, org/deeplearning4j/nn/api/Model score ()D",
    "DL4J, org/deeplearning4j/earlystopping/listener/EarlyStoppingListener",
    "SAMEDIFF, org/nd4j/autodiff/listeners/Loss totalLoss ()D",
  })
  void theCollectorSeesCallsLambdasAndTypes(Framework framework, String reference)
      throws Exception {
    assertThat(collected(framework)).contains(reference);
  }

  @Test
  void whatIsForSameDiffDoesNotAskForDeeplearning4j() throws Exception {
    assertThat(collected(Framework.SAMEDIFF))
        .isNotEmpty()
        .noneMatch(reference -> reference.startsWith("org/deeplearning4j/"));
  }

  @Test
  void whatOnlySomeProgramsHaveIsNotAskedFor() throws Exception {
    assertThat(collected(Framework.DL4J))
        .noneMatch(reference -> reference.startsWith("org/deeplearning4j/parallelism/"));
  }

  private static FrameworkReferences asked(Framework framework) throws Exception {
    String collected = String.join("\n", collected(framework));
    return FrameworkReferences.read(framework, file -> collected.getBytes(StandardCharsets.UTF_8));
  }

  private static SortedSet<String> collected(Framework framework) throws Exception {
    return ReferenceCollector.collect(
        framework, FrameworkReferencesTest.class.getClassLoader()::getResourceAsStream);
  }
}
