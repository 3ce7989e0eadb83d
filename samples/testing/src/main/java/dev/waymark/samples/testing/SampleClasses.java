package dev.waymark.samples.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a sample's own classes use: row "samples" of docs/ARCHITECTURE.md, The rooms. */
public final class SampleClasses {
  private static final Path FOLDER = Paths.get("target", "classes");
  private static final int JAVA_11 = 55;

  private final String ownPackage;
  private final JavaClasses all = new ClassFileImporter().importPath(FOLDER);

  /**
   * Those of the module whose tests run.
   *
   * @param ownPackage in which all of them have to be
   */
  public SampleClasses(String ownPackage) {
    this.ownPackage = ownPackage;
  }

  /** Asserts that all are in the sample's own package. */
  public void areInTheirOwnPackage() {
    classes().should().resideInAPackage(ownPackage + "..").check(all);
  }

  /**
   * Asserts that but for one class they are what somebody writes who has never heard of Waymark:
   * they see themselves, the JDK and the framework.
   *
   * @param listening the simple name of the class that may see Waymark's listener
   * @param listener the package of that listener
   * @param framework its packages
   */
  public void knowNothingOfWaymarkBut(String listening, String listener, String... framework) {
    classes()
        .that()
        .doNotHaveSimpleName(listening)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(below(Stream.of(framework)))
        .check(all);
    classes()
        .that()
        .haveSimpleName(listening)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(below(Stream.concat(Stream.of(listener), Stream.of(framework))))
        .check(all);
  }

  private String[] below(Stream<String> packages) {
    return Stream.concat(Stream.of("java", ownPackage), packages)
        .map(name -> name + "..")
        .toArray(String[]::new);
  }

  /** Asserts that Java 11 runs them. */
  public void areOfJava11() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(FOLDER)) {
      files = found.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
    }
    assertThat(files)
        .isNotEmpty()
        .allSatisfy(file -> assertThat(majorVersion(file)).isEqualTo(JAVA_11));
  }

  private static int majorVersion(Path classFile) throws IOException {
    try (DataInputStream data = new DataInputStream(Files.newInputStream(classFile))) {
      data.readInt();
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
