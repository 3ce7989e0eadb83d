package dev.waymark.samples.dl4j;

import dev.waymark.samples.testing.SampleClasses;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final SampleClasses CLASSES = new SampleClasses("dev.waymark.samples.dl4j");

  @Test
  void onlyTheProgramWithTheListenerKnowsWaymark() {
    CLASSES.knowNothingOfWaymarkBut(
        "IrisListener", "dev.waymark.dl4j", "org.deeplearning4j", "org.nd4j");
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
