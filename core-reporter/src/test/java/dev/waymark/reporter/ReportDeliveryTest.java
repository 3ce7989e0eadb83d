package dev.waymark.reporter;

import static dev.waymark.reporter.ReportDelivery.Result.ACCEPTED;
import static dev.waymark.reporter.ReportDelivery.Result.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportDeliveryTest {
  private final LogLines lines = new LogLines();
  private final ScriptedEndpoint endpoint = new ScriptedEndpoint();
  private final ReportDelivery delivery = new ReportDelivery(endpoint, lines.log());

  @AfterEach
  void giveStandardErrorBack() {
    lines.close();
  }

  @ParameterizedTest(name = "{0} -> {1} after {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200                         | ACCEPTED  | full
          204                         | ACCEPTED  | full
          299                         | ACCEPTED  | full
          403 200                     | ACCEPTED  | full full
          403 403                     | FAILED    | full full
          403 500                     | FAILED    | full full
          403 404                     | NOT_FOUND | full full
          404                         | NOT_FOUND | full
          500                         | FAILED    | full
          503                         | FAILED    | full
          307                         | FAILED    | full
          401                         | FAILED    | full
          429                         | FAILED    | full
          413 200                     | ACCEPTED  | full essential
          422 200                     | ACCEPTED  | full essential
          422 413 200                 | ACCEPTED  | full essential bare
          422 422 422                 | FAILED    | full essential bare
          422 500                     | FAILED    | full essential
          422 404                     | NOT_FOUND | full essential
          422 403 200                 | ACCEPTED  | full essential essential
          broken                      | FAILED    | full
          403 broken                  | FAILED    | full full
          422 broken                  | FAILED    | full essential
          """)
  void sendsUntilAnAnswerCounts(String script, ReportDelivery.Result result, String sent) {
    endpoint.script(script);

    assertThat(deliver()).isEqualTo(result);

    assertThat(endpoint.sent).containsExactly(sent.split(" "));
  }

  @Test
  void theSizeThatWasTakenIsRememberedAndToldOnce() {
    endpoint.script("422 422 200").script("200").script("200");

    deliver();
    deliver();
    deliver();

    assertThat(endpoint.sent).containsExactly("full", "essential", "bare", "bare", "bare");
    assertThat(lines.warnings()).hasSize(1);
    assertThat(lines.warnings().get(0))
        .contains("refuses the full report (it answered 422 what 422 means)")
        .contains("progress only");
  }

  @Test
  void theFullSizeIsTriedAgainMoreAndMoreSeldom() {
    List<Integer> fullTried = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      endpoint.answer = size -> size.equals("full") ? 413 : 200;
      endpoint.sent.clear();
      deliver();
      if (endpoint.sent.contains("full")) {
        fullTried.add(i);
      }
    }

    assertThat(fullTried).containsExactly(0, 13, 38, 87, 184);
    assertThat(lines.warnings()).hasSize(1);
    assertThat(lines.warnings().get(0)).contains("progress and Waymark's own metrics");
  }

  @Test
  void theFullSizeIsTriedAgainOnceAnHourAtLeast() {
    endpoint.answer = size -> size.equals("full") ? 413 : 200;
    int lastFull = 0;
    int longest = 0;
    for (int i = 0; i < 5000; i++) {
      endpoint.sent.clear();
      deliver();
      if (endpoint.sent.contains("full")) {
        longest = Math.max(longest, i - lastFull);
        lastFull = i;
      }
    }

    assertThat(longest).isEqualTo(721);
  }

  @Test
  void whenTheFullSizeIsTakenAgainItStays() {
    endpoint.answer = size -> size.equals("full") ? 413 : 200;
    for (int i = 0; i < 13; i++) {
      deliver();
    }
    endpoint.answer = size -> 200;
    endpoint.sent.clear();

    deliver();
    deliver();

    assertThat(endpoint.sent).containsExactly("full", "full");
    assertThat(lines.infos()).containsExactly("the endpoint takes full reports again");
  }

  @Test
  void anEndpointThatRecoversBetweenTwoSizesIsAskedToTakeTheFullOneAgain() {
    endpoint.script("422 422 422").script("422 200").script("200");

    assertThat(deliver()).isEqualTo(FAILED);
    assertThat(deliver()).isEqualTo(ACCEPTED);
    assertThat(deliver()).isEqualTo(ACCEPTED);

    assertThat(endpoint.sent)
        .containsExactly("full", "essential", "bare", "full", "essential", "full");
    assertThat(lines.warnings()).isEmpty();
    assertThat(lines.infos()).isEmpty();
  }

  @Test
  void aSmallerSizeThatIsRefusedInItsTurnGivesWayToTheSmallest() {
    endpoint.script("422 200").script("422 200").script("200");

    assertThat(deliver()).isEqualTo(ACCEPTED);
    assertThat(deliver()).isEqualTo(ACCEPTED);
    assertThat(deliver()).isEqualTo(ACCEPTED);

    assertThat(endpoint.sent).containsExactly("full", "essential", "essential", "bare", "bare");
    assertThat(lines.warnings()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          403 403     | it answered 403 what 403 means (it refuses the token, or can't check it just now)
          404         | it answered 404 what 404 means (is the TrainJob gone, or the feature gate TrainJobStatus off?)
          500         | it answered 500 what 500 means
          422 422 422 | it answered 422 what 422 means
          broken      | the connection broke
          """)
  void theReasonIsForAPerson(String script, String reason) {
    endpoint.script(script);

    deliver();

    assertThat(delivery.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                                         | it answered 500
          ' <h1>Bad</h1> '                                           | it answered 500 <h1>Bad</h1>
          '{"message" : "spec: \\"x\\"","code":1}'                   | it answered 500 spec:
          """)
  void ofTheBodyTheMessageIsTold(String body, String reason) {
    endpoint.body = body;
    endpoint.script("500");

    deliver();

    assertThat(delivery.reason()).isEqualTo(reason);
  }

  @Test
  void aLongBodyIsCut() {
    endpoint.body = "x".repeat(2000);
    endpoint.script("500");

    deliver();

    assertThat(delivery.reason()).isEqualTo("it answered 500 " + "x".repeat(200) + "...");
  }

  private ReportDelivery.Result deliver() {
    return delivery.deliver(FakeSource.report(1, false), Deadline.in(Duration.ofSeconds(5)));
  }

  /** Answers as scripted: a word a request. */
  private static final class ScriptedEndpoint implements StatusEndpoint {
    private final List<String> sent = new ArrayList<>();
    private final List<String> script = new ArrayList<>();
    private java.util.function.ToIntFunction<String> answer = size -> -1;
    private String body;

    ScriptedEndpoint script(String words) {
      script.addAll(List.of(words.split(" ")));
      return this;
    }

    @Override
    public String name() {
      return "https://endpoint:443";
    }

    @Override
    public HttpAnswer post(byte[] document, Deadline deadline) throws IOException {
      String size = new String(document, StandardCharsets.UTF_8).split(" ")[0];
      sent.add(size);
      int status = answer.applyAsInt(size);
      if (status < 0) {
        String word = script.remove(0);
        if (word.equals("broken")) {
          throw new IOException("the connection broke");
        }
        status = Integer.parseInt(word);
      }
      return new HttpAnswer(
          status, body != null ? body : "{\"message\":\"what " + status + " means\"}", true);
    }

    @Override
    public void disconnect() {}

    @Override
    public void close() {}
  }
}
