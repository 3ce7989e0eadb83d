package dev.waymark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.status.http.HttpAnswer;
import org.junit.jupiter.api.Test;

class WebhookRehearsalTest {

  /** A refusal would practise less. */
  @Test
  void theSampleIsAdmitted() {
    assertThat(new WebhookRehearsal().ask())
        .hasSize(2)
        .extracting(HttpAnswer::body)
        .allSatisfy(answer -> assertThat(answer).contains("\"allowed\":true"));
  }
}
