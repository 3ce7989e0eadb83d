package dev.waymark.controller.chart;

import static org.awaitility.Awaitility.await;

import dev.waymark.testbed.Cluster;
import dev.waymark.testbed.OnCluster;
import dev.waymark.trainer.api.JobSet;
import dev.waymark.trainer.api.TrainJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a release does to TrainJobs; each test has one in a namespace of its own. */
@OnCluster
@Timeout(300)
abstract class OnRelease {

  static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @TempDir Path folder;

  Release release;
  KubernetesClient client;

  @BeforeEach
  void openNamespace(Cluster cluster) {
    release = new Release(cluster, folder);
    client = release.client();
    release.bringTypes();
  }

  @AfterEach
  void closeNamespace() {
    client.resources(TrainJob.class).delete();
    release.close();
  }

  /** Null when there is none. */
  JobSet jobSet(String name) {
    return client.resources(JobSet.class).withName(name).get();
  }

  void resume(String trainJob) {
    client
        .resources(TrainJob.class)
        .withName(trainJob)
        .patch(MERGE, "{\"spec\": {\"suspend\": false}}");
  }

  <T> T read(String yaml, Class<T> type) {
    return client.getKubernetesSerialization().unmarshal(yaml, type);
  }

  static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(2));
  }
}
