package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.conformance.GoldenCase;
import dev.waymark.conformance.KnownDifference;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import dev.waymark.trainer.api.TrainerResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The validators against what upstream's webhooks, and the CRDs in the API server, refused. */
class RefusalConformanceTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int ACCEPTED = 200;

  /** The field that a refusal names first, as Kubernetes writes it. */
  private static final Pattern FIELD =
      Pattern.compile("(?:denied the request|is invalid): \\[?((?:spec|metadata)[^ ]*): ");

  private static final Pattern MERGE =
      Pattern.compile("merge (TrainJob|TrainingRuntime|ClusterTrainingRuntime) (\\S+) (.*)");

  /** What upstream answered to a request, and what the request was. */
  record Request(GoldenCase golden, String path, int code, String message, Attempt attempt) {

    @Override
    public String toString() {
      return golden + ": " + path;
    }
  }

  /** Asks the validators; empty if the reader of documents refuses the text itself. */
  private interface Attempt {
    Optional<List<Refusal>> refusals();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void answersAsUpstreamAndItsApiServerDo(Request request) {
    Optional<List<Refusal>> answer = request.attempt().refusals();
    int code = answer.map(RefusalConformanceTest::code).orElse(400);

    int expected = request.code() < 300 ? ACCEPTED : request.code();

    if (answer.isEmpty()) {
      // The reader is for people: it tells wrong types and missing fields before any rule.
      assertThat(request.code()).isIn(400, 422);
    } else {
      assertThat(code).as(answer.toString()).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void namesTheFieldThatUpstreamNames(Request request, String field) {
    assertThat(request.attempt().refusals().orElseThrow())
        .extracting(Refusal::field)
        .contains(field);
  }

  /** Where upstream answers otherwise: the status, and each refusal in the message. */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void answersWhatIsRight(KnownDifference known) {
    GoldenCase golden = GoldenCase.named(known.goldenCase());
    Request request =
        all(golden).filter(it -> it.path().equals(known.plainPath())).findFirst().orElseThrow();
    Map<?, ?> right = (Map<?, ?>) known.waymark();
    int status = (Integer) right.get("code");

    List<Refusal> refusals = request.attempt().refusals().orElseThrow();

    assertThat(request.code()).isEqualTo(((Map<?, ?>) known.upstream()).get("code"));
    assertThat(code(refusals)).as(refusals.toString()).isEqualTo(status < 300 ? ACCEPTED : status);
    for (Refusal refusal : refusals) {
      // The API server has words of its own for what the CRD refuses.
      boolean isWebhooks = refusal.kind() == Refusal.Kind.FORBIDDEN;
      assertThat((String) right.get("message"))
          .contains(refusal.field() + ": " + (isWebhooks ? refusal.message() : ""));
    }
  }

  static Stream<KnownDifference> answersWhatIsRight() {
    return KnownDifference.heldBy("RefusalConformanceTest#answersWhatIsRight").stream();
  }

  private static Stream<Request> all(GoldenCase golden) {
    return Stream.concat(created(golden), changed(golden));
  }

  static Stream<Request> requests() {
    return Golden.cases().stream()
        .flatMap(RefusalConformanceTest::all)
        .filter(
            request -> KnownDifferences.ofAnswer(request.golden().name(), request.path()).isEmpty())
        .filter(request -> !OnPurpose.ACCEPTED.contains(request.toString()))
        .filter(
            request -> OnPurpose.CONSEQUENCES.stream().noneMatch(request.toString()::startsWith));
  }

  static Stream<Arguments> refused() {
    return requests()
        .filter(request -> request.code() == 403 || request.code() == 422)
        .filter(request -> request.attempt().refusals().isPresent())
        .flatMap(
            request -> {
              Matcher field = FIELD.matcher(request.message());
              return field.find()
                  ? Stream.of(
                      Arguments.of(request, field.group(1).replace("RuntimeRef", "runtimeRef")))
                  : Stream.of();
            });
  }

  private static Stream<Request> created(GoldenCase golden) {
    return Stream.concat(Golden.documents(golden.objects()), Golden.documents(golden.trainJobs()))
        .filter(document -> document.contains("trainer.kubeflow.org/v1alpha1"))
        .filter(document -> !document.contains("trainer.kubeflow.org/webhook-validation: disabled"))
        .flatMap(document -> created(golden, document).stream());
  }

  private static Optional<Request> created(GoldenCase golden, String document) {
    String kind = value(document, "kind");
    String name = value(document, "  name");
    boolean job = kind.equals("TrainJob");
    String key = job ? name : kind + "/" + name;
    JsonNode answer = golden.created().path(job ? "trainjobs" : "objects").path(key);
    if (kind.equals("OptimizationJob") || answer.isMissingNode()) {
      return Optional.empty();
    }
    return Optional.of(
        new Request(
            golden,
            "create: " + (job ? "trainjobs " : "objects ") + key,
            answer.path("code").asInt(),
            answer.path("message").asText(),
            () -> Golden.read(document).map(read -> created(golden, read))));
  }

  private static List<Refusal> created(GoldenCase golden, TrainerDocuments read) {
    TrainerResource<?, ?> resource = read.resources().get(0);
    if (resource instanceof RuntimeResource runtime) {
      return RuntimeValidator.create(runtime);
    }
    TrainJob job = (TrainJob) resource;
    job.getMetadata().setNamespace(golden.name());
    return TrainJobValidator.create(job, runtime(golden, job), Golden.CLUSTER);
  }

  /** The one that a new TrainJob names; null if there is none, as when Waymark has refused it. */
  private static RuntimeResource runtime(GoldenCase golden, TrainJob job) {
    return Golden.runtime(golden, 0, job)
        .filter(
            runtime ->
                KnownDifferences.ofAnswer(
                        golden.name(),
                        "create: objects " + runtime.getKind() + "/" + runtime.name())
                    .isEmpty())
        .orElse(null);
  }

  private static Stream<Request> changed(GoldenCase golden) {
    return IntStream.rangeClosed(1, golden.steps())
        .boxed()
        .flatMap(step -> changed(golden, step).stream());
  }

  private static Optional<Request> changed(GoldenCase golden, int step) {
    JsonNode done = golden.after(step).path("steps").path(0);
    Matcher merge = MERGE.matcher(done.path("step").asText());
    Map<String, Object> before =
        merge.matches() ? before(golden, step, merge.group(1) + "/" + merge.group(2)) : null;
    return before == null
        ? Optional.empty()
        : Optional.of(
            new Request(
                golden,
                "after-" + step + ": " + answerTo(done.path("step").asText()),
                done.path("answer").path("code").asInt(),
                done.path("answer").path("message").asText(),
                () -> Optional.of(changed(golden, step, merge.group(1), before, merge.group(3)))));
  }

  /**
   * An object before a step: as upstream had it or, from the first change on that only one of both
   * takes, with the changes that Waymark takes.
   *
   * @return null if it is not there
   */
  private static Map<String, Object> before(GoldenCase golden, int step, String key) {
    Map<String, Object> own = Golden.object(golden, 0, key).orElse(null);
    boolean isOther = false;
    for (int earlier = 1; own != null && earlier < step; earlier++) {
      JsonNode done = golden.after(earlier).path("steps").path(0);
      Matcher merge = MERGE.matcher(done.path("step").asText());
      if (merge.matches() && key.equals(merge.group(1) + "/" + merge.group(2))) {
        Optional<KnownDifference> known =
            KnownDifferences.ofAnswer(
                golden.name(), "after-" + earlier + ": " + answerTo(merge.group()));
        isOther |= known.isPresent();
        int status =
            known
                .map(it -> (Integer) ((Map<?, ?>) it.waymark()).get("code"))
                .orElse(done.path("answer").path("code").asInt());
        own = status < 300 ? merged(own, merge.group(3)) : own;
      }
    }
    return isOther ? own : Golden.object(golden, step - 1, key).orElse(null);
  }

  private static String answerTo(String step) {
    return "answer to '" + cut(step) + "'";
  }

  private static List<Refusal> changed(
      GoldenCase golden, int step, String kind, Map<String, Object> before, String patch) {
    Map<String, Object> after = merged(before, patch);
    if (!kind.equals("TrainJob")) {
      return RuntimeValidator.update(
          Golden.runtime(golden, kind, before), Golden.runtime(golden, kind, after));
    }
    TrainJob job = Golden.trainJob(golden, after);
    RuntimeResource runtime =
        Golden.snapshot(golden, step - 1, job)
            .or(() -> Golden.runtime(golden, step - 1, job))
            .orElse(null);
    return TrainJobValidator.update(
        Golden.trainJob(golden, before),
        job,
        runtime,
        Golden.jobSet(golden, step - 1, job.name()).orElse(null),
        Golden.CLUSTER);
  }

  /** An API server asks the CRD's schema first, and the webhooks only if that has no objection. */
  private static int code(List<Refusal> refusals) {
    return refusals.stream().mapToInt(it -> it.kind().status()).max().orElse(ACCEPTED);
  }

  /** A JSON merge patch (RFC 7386). */
  private static Map<String, Object> merged(Map<String, Object> before, String patch) {
    try {
      return merge(before, Golden.map(JSON.readTree(patch)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(patch, e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> merge(Map<String, Object> before, Map<String, Object> patch) {
    Map<String, Object> merged = new LinkedHashMap<>(before);
    patch.forEach(
        (name, value) -> {
          if (value == null) {
            merged.remove(name);
          } else if (value instanceof Map<?, ?> change) {
            Object old = merged.get(name);
            merged.put(
                name,
                merge(
                    old instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of(),
                    (Map<String, Object>) change));
          } else {
            merged.put(name, value);
          }
        });
    return merged;
  }

  private static String value(String document, String field) {
    Matcher value = Pattern.compile("(?m)^" + field + ": *(\\S+)").matcher(document);
    return value.find() ? value.group(1).replaceAll("^[\"']|[\"']$", "") : "";
  }

  private static String cut(String step) {
    return step.length() > 60 ? step.substring(0, 60) : step;
  }
}
