package dev.waymark.cli.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * What the client of a cluster and the commands for one may see: docs/ARCHITECTURE.md, The rooms.
 */
class ArchitectureTest {

  private static final JavaClasses CLIENT = read("../../client/target/classes");
  private static final JavaClasses COMMANDS = read("target/classes");

  @Test
  void theClientSeesOnlyWhatItsRowAllows() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax..",
            "dev.waymark.client..",
            "dev.waymark.plan..",
            "dev.waymark.trainer.api..",
            "io.fabric8..",
            "com.fasterxml.jackson..")
        .check(CLIENT);
  }

  /** Of the plan it may know what a TrainJob may say, and nothing of what becomes of it. */
  @Test
  void theClientPlansNothing() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.waymark\\.plan\\.(?!TrainJobValidator$|Refusal).*")
        .check(CLIENT);
  }

  /** kubeflow/sdk#435: a library that prints what it hands over. */
  @Test
  void theClientPrintsNothing() {
    GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLIENT);
  }

  @Test
  void theCommandsSeeOnlyWhatTheirRowAllows() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "dev.waymark.cli..",
            "dev.waymark.client..",
            "dev.waymark.trainer.api..",
            "com.fasterxml.jackson..",
            "io.fabric8.kubernetes.api..",
            "org.yaml..",
            "picocli..",
            // What the archive of classes is trained against.
            "com.sun.net.httpserver..",
            "dev.waymark.status.tls..",
            "javax.net.ssl..")
        .check(COMMANDS);
  }

  @Test
  void eachKeepsItsClassesInItsOwnPackage() {
    classes().should().resideInAPackage("dev.waymark.client..").check(CLIENT);
    classes().should().resideInAPackage("dev.waymark.cli.cluster..").check(COMMANDS);
  }

  private static JavaClasses read(String folder) {
    return new ClassFileImporter().importPaths(Path.of(folder));
  }
}
