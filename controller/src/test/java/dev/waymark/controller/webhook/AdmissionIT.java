package dev.waymark.controller.webhook;

import dev.waymark.testbed.NeedsTestbed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The webhooks and their certificates, as users of a real API server meet them: one cluster for
 * all, since it takes longer to start than to ask.
 */
@NeedsTestbed
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionIT {

  private final AdmissionCluster cluster = new AdmissionCluster();

  @BeforeAll
  void start() throws Exception {
    cluster.start();
  }

  @AfterAll
  void end() throws Exception {
    cluster.close();
  }

  @Nested
  class OfTrainJobs extends TrainJobAdmission {
    OfTrainJobs() {
      super(cluster);
    }
  }

  @Nested
  class OfRuntimes extends RuntimeAdmission {
    OfRuntimes() {
      super(cluster);
    }
  }

  @Nested
  class OfCertificates extends WebhookCertificates {
    OfCertificates() {
      super(cluster);
    }
  }
}
