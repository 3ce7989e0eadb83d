package dev.waymark.controller;

import dev.waymark.testbed.NeedsTestbed;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The controller while its cluster fails around it: one cluster for all that can go wrong. */
@NeedsTestbed
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControllerFaultsIT {

  private final FaultyCluster cluster = new FaultyCluster();

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    cluster.start(folder);
  }

  @AfterAll
  void stop() {
    cluster.close();
    Awaitility.reset();
  }

  @Nested
  class OfTheCluster extends ClusterFaults {
    OfTheCluster() {
      super(cluster);
    }
  }

  @Nested
  class OfTheController extends ControllerFaults {
    OfTheController() {
      super(cluster);
    }
  }

  @Nested
  class OfTheTypes extends TypeFaults {
    OfTheTypes() {
      super(cluster);
    }
  }
}
