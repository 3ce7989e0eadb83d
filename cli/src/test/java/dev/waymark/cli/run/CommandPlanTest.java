package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandPlanTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java -jar djl-iris.jar easytrain            | djl-iris
          java -Xmx1g -jar lib/My_App-1.2.jar         | my-app-1-2
          /usr/bin/java -cp a.jar:b.jar com.acme.Main | main
          java @args com.acme.TrainMnist --epochs 3   | trainmnist
          java -p mods -m com.acme/com.acme.Train     | com-acme-train
          java Train.java                             | train
          java -version                               | java
          ./train.sh                                  | train-sh
          mvn -q exec:java                            | mvn
          123                                         | program
          9lives                                      | lives
          """)
  void namesTheTrainJobAfterWhatRuns(String command, String name) {
    assertThat(CommandPlan.trainJobName(List.of(command.split(" ")))).isEqualTo(name);
  }

  @Test
  void aLongNameFitsADnsLabelAndEndsInALetterOrDigit() {
    String name = CommandPlan.trainJobName(List.of("a".repeat(62) + "--b"));

    assertThat(name).isEqualTo("a".repeat(62));
  }

  @Test
  void isOneNodeHereWithTheShellsEnvironment() {
    RunPlan plan =
        CommandPlan.of(List.of("ls", "-l"), Map.of("PATH", "/bin"), Path.of("/somewhere"));

    assertThat(plan.trainJob()).hasToString("default/ls");
    assertThat(plan.readsInput()).isTrue();
    assertThat(plan.nodes())
        .containsExactly(
            new Node("ls", List.of("ls", "-l"), Map.of("PATH", "/bin"), Path.of("/somewhere")));
  }
}
