package dev.waymark.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the controller may see, and which way its own rooms see each other. */
class ArchitectureTest {

  private static final String ROOT = "dev.waymark.controller";

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(Path.of("target/classes"));

  @Test
  void seesOnlyWhatItsRowAllows() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax..",
            ROOT + "..",
            "dev.waymark.plan..",
            "dev.waymark.status..",
            "dev.waymark.trainer.api..",
            "io.fabric8..",
            "io.javaoperatorsdk..",
            "io.vertx..",
            "io.netty.handler.ssl..",
            "io.prometheus..",
            "com.nimbusds..",
            "com.fasterxml.jackson..",
            "org.bouncycastle..",
            "org.yaml..",
            "org.slf4j..")
        .check(CLASSES);
  }

  /** Each room on the left knows nothing of those on the right. */
  @ParameterizedTest
  @CsvSource({
    "kubernetes,reconcile status metrics health certificates types webhook",
    "status,reconcile metrics health certificates types webhook",
    "reconcile,metrics health certificates types webhook",
    "metrics,status health certificates types webhook",
    "health,kubernetes reconcile status metrics certificates types webhook",
    "certificates,reconcile status metrics health types webhook",
    "types,reconcile status metrics health certificates webhook"
  })
  void roomsSeeEachOtherOneWay(String room, String others) {
    for (String other : others.split(" ", -1)) {
      noClasses()
          .that()
          .resideInAPackage(ROOT + "." + room + "..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "." + other + "..")
          .check(CLASSES);
    }
  }
}
