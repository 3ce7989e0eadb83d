package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.status.InMemoryStatusSink.Report;
import dev.waymark.status.TlsClient.Response;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays requests whose answers were recorded from Kubeflow Trainer (git 8c0f5059) on a real API
 * server (1.36.3), over TLS with signed tokens, and expects the same answers.
 */
class UpstreamConformanceTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** TrainJob, body, options. */
  private static final Pattern STEP =
      Pattern.compile("post (\\S+) (.*?)((?: (?:token|method|path)=\\S+)*)");

  private static final Pattern SIZED = Pattern.compile("@(size|chunked)=(\\d+)");

  private static final List<Report> reports = new CopyOnWriteArrayList<>();
  private static TestServer running;

  @BeforeAll
  static void start() throws Exception {
    Set<TrainJobKey> trainJobs =
        Set.of(new TrainJobKey("progress-post", "demo"), new TrainJobKey("progress-auth", "demo"));
    running =
        new TestServer(
            new InMemoryStatusSink(trainJobs, Clock.systemUTC(), reports::add),
            UnaryOperator.identity());
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @MethodSource("recordedSteps")
  void answersAsRecorded(String namespace, int number, String step, JsonNode recorded)
      throws Exception {
    reports.clear();
    Matcher parts = STEP.matcher(step);
    assertThat(parts.matches()).isTrue();
    TrainJobKey trainJob = new TrainJobKey(namespace, parts.group(1));

    Response response;
    try (TlsClient client = running.connect()) {
      client.send(request(trainJob, parts.group(2), parts.group(3)));
      response = client.receive();
    }

    assertThat(response.code()).isEqualTo(recorded.get("code").asInt());
    assertThat(response.headers().get("content-type"))
        .isEqualTo(recorded.get("contentType").textValue());
    assertThat(response.headers().get("location")).isEqualTo(recorded.path("location").textValue());
    if (recorded.has("body")) {
      assertThat(JSON.readTree(response.body())).isEqualTo(recorded.get("body"));
      assertThat(response.body().endsWith("\n"))
          .isEqualTo(recorded.get("endsWithNewline").asBoolean());
    } else {
      assertThat(response.body()).isEqualTo(recorded.get("text").textValue());
    }
    boolean written = recorded.path("body").has("trainerStatus");
    assertThat(reports).hasSize(written ? 1 : 0);
  }

  static Stream<Arguments> recordedSteps() {
    return Stream.of("progress-post", "progress-auth")
        .map(GoldenCase::named)
        .flatMap(
            golden ->
                IntStream.rangeClosed(1, golden.steps())
                    .mapToObj(number -> recordedStep(golden, number)));
  }

  private static Arguments recordedStep(GoldenCase golden, int number) {
    JsonNode recorded = golden.after(number).at("/steps/0");
    return Arguments.of(
        golden.name(), number, recorded.get("step").textValue(), recorded.get("answer"));
  }

  private static String request(TrainJobKey trainJob, String body, String options)
      throws Exception {
    String head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s"
            .formatted(
                option(options, "method", "POST"),
                path(trainJob, option(options, "path", "plain")),
                authorization(trainJob, option(options, "token", "good")));
    Matcher sized = SIZED.matcher(body);
    if (!sized.matches()) {
      return withBody(head, body.equals("(empty)") ? "" : body);
    }
    String padded = paddedBody(Integer.parseInt(sized.group(2)));
    return sized.group(1).equals("size")
        ? withBody(head, padded)
        : "%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
            .formatted(head, padded.length(), padded);
  }

  private static String withBody(String head, String body) {
    return "%sContent-Length: %d\r\n\r\n%s".formatted(head, body.length(), body);
  }

  private static String paddedBody(int size) {
    String start = "{\"trainerStatus\":{\"lastUpdatedTime\":\"2026-01-02T03:04:05Z\"},\"pad\":\"";
    return start + "x".repeat(size - start.length() - 2) + "\"}";
  }

  private static String option(String options, String name, String otherwise) {
    Matcher m = Pattern.compile(name + "=(\\S+)").matcher(options);
    return m.find() ? m.group(1) : otherwise;
  }

  private static String path(TrainJobKey trainJob, String form) {
    String path = trainJob.statusPath();
    return switch (form) {
      case "plain" -> path;
      case "slash" -> path + "/";
      case "double" -> path.replace("/namespaces/", "//namespaces/");
      case "healthz" -> "/healthz";
      case "query" -> path + "?dryRun=All";
      case "encoded" -> path.replace("/trainjobs/", "/%74rainjobs/");
      default -> throw new IllegalArgumentException(form);
    };
  }

  private static String authorization(TrainJobKey trainJob, String kind) throws Exception {
    String good = running.tokens.token(trainJob);
    String ns = trainJob.namespace();
    String value =
        switch (kind) {
          case "none" -> null;
          case "good" -> "Bearer " + good;
          case "garbage" -> "Bearer not.a.token";
          case "default-audience" -> bearer(ns, "https://kubernetes.default.svc");
          case "other-job" -> bearer(ns, new TrainJobKey(ns, "someone-else").audience());
          case "other-namespace" -> bearer("elsewhere", trainJob.audience());
          case "multi-audience" -> bearer(ns, "https://elsewhere.example", trainJob.audience());
          case "basic" -> "Basic " + good;
          case "lower-bearer" -> "bearer " + good;
          case "spaces" -> "Bearer   " + good + " ";
          case "tampered" -> "Bearer " + tampered(good);
          default -> throw new IllegalArgumentException(kind);
        };
    return value == null ? "" : "Authorization: " + value + "\r\n";
  }

  private static String bearer(String namespace, String... audience) throws Exception {
    return "Bearer " + running.tokens.sign(TestTokens.claims(namespace, audience).build());
  }

  private static String tampered(String token) {
    int at = token.length() - 6;
    return token.substring(0, at) + (token.charAt(at) == 'A' ? 'B' : 'A') + token.substring(at + 1);
  }
}
