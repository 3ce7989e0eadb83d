package dev.waymark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalRootTest {

  @TempDir Path folder;

  @BeforeEach
  void makeAnImage() throws IOException {
    Files.createDirectories(folder.resolve("app/lib"));
    Files.createFile(folder.resolve("app/train.jar"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /app/train.jar                   | ROOT/app/train.jar
          /app/lib/*:/app/train.jar        | ROOT/app/lib/*:ROOT/app/train.jar
          -Ddata=/app/train.jar            | -Ddata=ROOT/app/train.jar
          --files=/app/train.jar,/app/lib  | --files=ROOT/app/train.jar,ROOT/app/lib
          /app/missing.jar                 | /app/missing.jar
          /app/train.jar:/etc/passwd       | ROOT/app/train.jar:/etc/passwd
          app/train.jar                    | app/train.jar
          https://app/train.jar            | https://app/train.jar
          and/app/train.jar                | and/app/train.jar
          /                                | /
          /../../etc                       | /../../etc
          --lr=0.1                         | --lr=0.1
          """)
  void takesPathsThatExistFromTheFolder(String text, String resolved) {
    assertThat(new LocalRoot(folder).resolveIn(text))
        .isEqualTo(resolved.replace("ROOT", folder.toString()));
  }

  @Test
  void findsAFolderOfTheImage() {
    LocalRoot root = new LocalRoot(folder);

    assertThat(root.directory("/app")).isEqualTo(folder.resolve("app"));
    assertThat(root.directory("/")).isEqualTo(folder);
    assertThat(root.directory("/app/train.jar")).as("a file").isNull();
    assertThat(root.directory("/nowhere")).isNull();
    assertThat(root.directory("/..")).as("outside").isNull();
  }
}
