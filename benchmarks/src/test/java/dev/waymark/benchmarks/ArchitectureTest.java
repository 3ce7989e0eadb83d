package dev.waymark.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds the row "benchmarks" of docs/ARCHITECTURE.md, The rooms. */
class ArchitectureTest {
  private static final String OWN = "dev.waymark.benchmarks..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  /** Whole programs it runs as processes, so it needs what runs in a training JVM only. */
  @Test
  void seesOnlyWhatItsRowAllows() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax..",
            OWN,
            "dev.waymark.reporter..",
            "dev.waymark.djl..",
            "dev.waymark.dl4j..",
            "ai.djl..",
            "org.deeplearning4j..",
            "org.nd4j..",
            "org.objectweb.asm..",
            "org.openjdk.jmh..",
            "com.fasterxml.jackson..")
        .check(CLASSES);
  }

  @Test
  void keepsItsClassesInItsOwnPackage() {
    classes().should().resideInAPackage(OWN).check(CLASSES);
  }
}
