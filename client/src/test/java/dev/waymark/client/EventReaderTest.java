package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventReaderTest {

  private static final List<HasMetadata> TREE =
      List.of(
          new JobBuilder()
              .withNewMetadata()
              .withName("demo-node-0")
              .withUid("job")
              .endMetadata()
              .build(),
          new PodBuilder().withNewMetadata().withName("p").withUid("pod").endMetadata().build());

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {kind: Pod, name: p, uid: pod}                              | true
          # kubeflow/sdk looks for names of steps, not of Jobs, so these were never seen
          {kind: Job, name: demo-node-0, uid: job}                    | true
          {kind: Job, name: demo-node-0, uid: of-an-earlier-one}      | false
          # Of a pod that is gone
          {kind: Pod, name: demo-node-0-0-ab1cd, uid: gone}           | true
          {kind: Pod, name: demo-node-0-12-ab1cd, uid: gone}          | true
          # Of TrainJob demo-node-0
          {kind: Pod, name: demo-node-0-node-0-0-ab1cd, uid: other}   | false
          {kind: Secret, name: demo-node-0-0-ab1cd, uid: other}       | false
          {kind: Pod, name: other, uid: other}                        | false
          """)
  void knowsWhatIsTheTrainJobs(String about, boolean isIts) {
    Event event = event("involvedObject: " + about);

    assertThat(new EventReader(TREE).isOfTrainJob(event)).isEqualTo(isIts);
  }

  /** The SDK drops those without firstTimestamp: all that came by events.k8s.io/v1. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          firstTimestamp: '2026-11-30T10:00:01Z'                                                   | 2026-11-30T10:00:01Z
          {firstTimestamp: '2026-11-30T10:00:01Z', lastTimestamp: '2026-11-30T10:00:02Z'}          | 2026-11-30T10:00:02Z
          eventTime: '2026-11-30T10:00:03.123456Z'                                                 | 2026-11-30T10:00:03.123456Z
          {eventTime: '2026-11-30T10:00:03.0Z', series: {count: 4, lastObservedTime: '2026-11-30T10:00:09.5Z'}} | 2026-11-30T10:00:09.500Z
          metadata: {creationTimestamp: '2026-11-30T10:00:05Z'}                                    | 2026-11-30T10:00:05Z
          firstTimestamp: nonsense                                                                 | 1970-01-01T00:00:00Z
          """)
  void findsTheTimeWhereverItIs(String times, String time) {
    assertThat(EventReader.read(List.of(event(times))))
        .singleElement()
        .extracting(TrainingEvent::time)
        .isEqualTo(Instant.parse(time));
  }

  @Test
  void theOldestComesFirst() {
    assertThat(
            EventReader.read(
                List.of(
                    event("{lastTimestamp: '2026-11-30T10:00:02Z', reason: Second, type: Warning}"),
                    event("{eventTime: '2026-11-30T10:00:01.0Z', reason: First, count: 3}"))))
        .satisfiesExactly(
            first -> {
              assertThat(first.reason()).isEqualTo("First");
              assertThat(first.count()).isEqualTo(3);
              assertThat(first.warning()).isFalse();
            },
            second -> {
              assertThat(second.reason()).isEqualTo("Second");
              assertThat(second.count()).isEqualTo(1);
              assertThat(second.warning()).isTrue();
            });
  }

  private static Event event(String fields) {
    Event event = Samples.yaml(fields, Event.class);
    if (event.getInvolvedObject() == null) {
      event.setInvolvedObject(Samples.yaml("{kind: Pod, name: p}", ObjectReference.class));
    }
    if (event.getMetadata() == null) {
      event.setMetadata(new ObjectMeta());
    }
    return event;
  }
}
