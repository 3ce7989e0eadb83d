package dev.waymark.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the table "The rooms" of docs/ARCHITECTURE.md: which module may see what. */
class ArchitectureTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Map<Room, JavaClasses> IMPORTED = new EnumMap<>(Room.class);

  /** A module and the packages that its classes may use, beside its own and the JDK's. */
  enum Room {
    CORE_REPORTER("core-reporter", "dev.waymark.reporter"),
    DJL_LISTENER("djl-listener", "dev.waymark.djl", "dev.waymark.reporter", "ai.djl"),
    DL4J_LISTENER(
        "dl4j-listener",
        "dev.waymark.dl4j",
        "dev.waymark.reporter",
        "org.deeplearning4j",
        "org.nd4j"),
    AGENT(
        "agent",
        "dev.waymark.agent",
        "dev.waymark.reporter",
        "dev.waymark.djl",
        "dev.waymark.dl4j",
        "ai.djl",
        "org.deeplearning4j",
        "org.nd4j",
        "org.objectweb.asm"),
    TRAINER_API(
        "trainer-api",
        "dev.waymark.trainer.api",
        "io.fabric8",
        "com.fasterxml.jackson",
        "org.yaml"),
    PLANNER(
        "planner",
        "dev.waymark.plan",
        "dev.waymark.trainer.api",
        "io.fabric8",
        "com.fasterxml.jackson",
        "org.bouncycastle"),
    STATUS_SERVER(
        "status-server",
        "dev.waymark.status",
        "dev.waymark.trainer.api",
        "io.vertx",
        "io.netty",
        "com.nimbusds",
        "com.fasterxml.jackson",
        "org.bouncycastle",
        "org.slf4j"),
    CLI(
        "cli",
        "dev.waymark.cli",
        "dev.waymark.plan",
        "dev.waymark.status",
        "dev.waymark.trainer.api",
        "io.fabric8",
        "io.vertx",
        "io.netty",
        "com.nimbusds",
        "com.fasterxml.jackson",
        "org.slf4j",
        "picocli",
        "me.tongfei.progressbar",
        "org.jline");

    final String folder;
    final String ownPackage;
    final String[] allowed;

    Room(String folder, String ownPackage, String... others) {
      this.folder = folder;
      this.ownPackage = ownPackage;
      this.allowed =
          Stream.concat(Stream.of("java", "javax", "com.sun", "jdk", ownPackage), Stream.of(others))
              .map(name -> name + "..")
              .toArray(String[]::new);
    }

    JavaClasses classes() {
      return IMPORTED.computeIfAbsent(
          this,
          room ->
              new ClassFileImporter().importPaths(ROOT.resolve(folder).resolve("target/classes")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void seesOnlyWhatItsRowAllows(Room room) {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(room.allowed)
        .because("docs/ARCHITECTURE.md, The rooms, row " + room.folder)
        .check(room.classes());
  }

  @ParameterizedTest
  @EnumSource
  void keepsItsClassesInItsOwnPackage(Room room) {
    classes().should().resideInAPackage(room.ownPackage + "..").check(room.classes());
  }

  @Test
  void noPackageIsSharedByTwoModules() {
    Map<String, List<Room>> owners = new HashMap<>();
    for (Room room : Room.values()) {
      room.classes().stream()
          .map(JavaClass::getPackageName)
          .distinct()
          .forEach(
              name -> owners.computeIfAbsent(name, n -> new java.util.ArrayList<>()).add(room));
    }
    assertThat(owners)
        .isNotEmpty()
        .allSatisfy((name, rooms) -> assertThat(rooms).as(name).hasSize(1));
  }

  @Test
  void thePlannerHasNoClockAndNoChance() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.Random")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.concurrent.ThreadLocalRandom")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(System.class, "getenv")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(java.util.UUID.class, "randomUUID")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .check(Room.PLANNER.classes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"core-reporter", "djl-listener", "dl4j-listener", "agent"})
  void codeInTheTrainingJvmIsJava11(String folder) throws IOException {
    List<Path> compiled;
    try (Stream<Path> files = Files.walk(ROOT.resolve(folder).resolve("target/classes"))) {
      compiled =
          files.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
    }
    assertThat(compiled)
        .isNotEmpty()
        .allSatisfy(file -> assertThat(majorVersion(file)).isEqualTo(55));
  }

  private static int majorVersion(Path classFile) throws IOException {
    try (InputStream in = Files.newInputStream(classFile);
        DataInputStream data = new DataInputStream(in)) {
      data.readInt();
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
