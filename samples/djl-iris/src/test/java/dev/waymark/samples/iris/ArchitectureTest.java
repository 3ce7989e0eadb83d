package dev.waymark.samples.iris;

import dev.waymark.samples.testing.SampleClasses;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final SampleClasses CLASSES = new SampleClasses("dev.waymark.samples.iris");

  @Test
  void onlyTheProgramWithTheListenerKnowsWaymark() {
    CLASSES.knowNothingOfWaymarkBut("IrisListener", "dev.waymark.djl", "ai.djl");
  }

  @Test
  void keepsItsClassesInItsOwnPackage() {
    CLASSES.areInTheirOwnPackage();
  }

  @Test
  void runsOnJava11() throws IOException {
    CLASSES.areOfJava11();
  }
}
