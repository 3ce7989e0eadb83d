package dev.waymark.controller.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waymark.controller.kubernetes.CollectedAnswer.Answer;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Single requests to the API server, each one round trip, none of them blocking. The client's own
 * calls are made for people: its patch reads the object first, it repeats what was refused for
 * being too much (seen in fabric8 7.6.1), and its objects lose empty lists and maps on the way.
 * Here nothing is repeated: who asks knows when to ask again, and what it may cost.
 *
 * <p>A stage that fails has an {@link ApiServerException} when the server refused, an {@link
 * IOException} when it could not be asked, or had not answered in full within 10 s; what was asked
 * may have been done then. Safe for every thread.
 */
public final class ApiServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JSON_TYPE = "application/json";
  private static final String APPLY_TYPE = "application/apply-patch+yaml";
  private static final String FORCED = "&force=true";
  private static final String METADATA_ONLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final HttpClient http;
  private final String root;
  private final Duration limit;

  /** Talks to the server of a client, with its certificates and its token. */
  public ApiServer(KubernetesClient client) {
    this(client, LIMIT);
  }

  /**
   * Talks to the server of a client.
   *
   * @param limit from the sending of a request to the end of its answer
   */
  public ApiServer(KubernetesClient client, Duration limit) {
    http = client.getHttpClient().newBuilder().tag(once(client)).build();
    root = client.getMasterUrl().toString().replaceFirst("/+$", "");
    this.limit = limit;
  }

  /** Where the client looks up how often it repeats; the rest of it stays. */
  private static RequestConfig once(KubernetesClient client) {
    return new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  /** Reads what is at a path of the server, such as {@code /openid/v1/jwks}. */
  public CompletableFuture<byte[]> read(String path) {
    return send(request(path));
  }

  /** Reads an object. */
  public CompletableFuture<JsonNode> get(ResourcePath path) {
    return read(path.path()).thenApply(ApiServer::parse);
  }

  /** Reads an object's {@code metadata} and nothing else of it. */
  public CompletableFuture<JsonNode> metadata(ResourcePath path) {
    return send(request(path.path()).header("Accept", METADATA_ONLY))
        .thenApply(ApiServer::parse)
        .thenApply(object -> object.path("metadata"));
  }

  /**
   * Applies an object on the server's side, and takes over fields that others own.
   *
   * @param fieldManager who owns the fields that the object names
   * @param object with apiVersion, kind, metadata.name
   * @return the object as it is now
   */
  public CompletableFuture<byte[]> apply(ResourcePath path, String fieldManager, Object object) {
    return send(patch(path, APPLY_TYPE, fieldManager, FORCED, text(object)));
  }

  /**
   * The same, where nothing but the object's {@code metadata} is to be told.
   *
   * @return an object that has nothing else
   */
  public CompletableFuture<byte[]> applyForMetadata(
      ResourcePath path, String fieldManager, Object object) {
    return send(
        patch(path, APPLY_TYPE, fieldManager, FORCED, text(object))
            .header("Accept", METADATA_ONLY));
  }

  /** Applies an object that is written in YAML, in the same way. */
  public CompletableFuture<byte[]> applyYaml(ResourcePath path, String fieldManager, String yaml) {
    return send(patch(path, APPLY_TYPE, fieldManager, FORCED, yaml));
  }

  /**
   * Merges fields into an object.
   *
   * @param fieldManager who owns the fields from now on
   * @return the object as it is now
   */
  public CompletableFuture<byte[]> merge(ResourcePath path, String fieldManager, Object fields) {
    return send(patch(path, "application/merge-patch+json", fieldManager, "", text(fields)));
  }

  private HttpRequest.Builder patch(
      ResourcePath path, String type, String fieldManager, String more, String body) {
    String query = "?fieldManager=" + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8);
    return request(path.path() + query + more).method("PATCH", type, body);
  }

  /**
   * Replaces an object, if it still has the resourceVersion that stands in the new one.
   *
   * @param fieldManager who owns what changes
   * @return the object as it is now
   */
  public CompletableFuture<byte[]> replace(ResourcePath path, String fieldManager, Object object) {
    String query = "?fieldManager=" + URLEncoder.encode(fieldManager, StandardCharsets.UTF_8);
    return send(request(path.path() + query).put(JSON_TYPE, text(object)));
  }

  /** Creates an object. */
  public CompletableFuture<byte[]> create(ResourcePath path, Object object) {
    return send(request(path.path()).post(JSON_TYPE, text(object)));
  }

  /**
   * Deletes an object, its dependents in the background, if it is still the one of that uid. One
   * that has gone already is a success.
   */
  public CompletableFuture<Void> delete(ResourcePath path, String uid) {
    JsonNode options =
        JSON.createObjectNode()
            .put("apiVersion", "v1")
            .put("kind", "DeleteOptions")
            .put("propagationPolicy", "Background")
            .set("preconditions", JSON.createObjectNode().put("uid", uid));
    return send(request(path.path()).delete(JSON_TYPE, text(options)))
        .handle(
            (answer, failure) -> {
              Throwable cause = cause(failure);
              if (cause instanceof ApiServerException refused && refused.isNotFound()) {
                return null;
              } else if (cause != null) {
                throw new CompletionException(cause);
              }
              return null;
            });
  }

  private HttpRequest.Builder request(String pathAndQuery) {
    return http.newHttpRequestBuilder().uri(root + pathAndQuery);
  }

  private CompletableFuture<byte[]> send(HttpRequest.Builder request) {
    // The client knows no limit but a request's own, and that ends with the answer's head (7.6.1).
    HttpRequest limited = request.timeout(limit.toMillis(), TimeUnit.MILLISECONDS).build();
    CollectedAnswer collected = new CollectedAnswer();
    CompletableFuture<HttpResponse<AsyncBody>> begun = http.consumeBytes(limited, collected);
    return begun
        .thenCompose(collected::whole)
        .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(
            failure -> {
              throw unanswered(begun, cause(failure));
            })
        .thenCompose(ApiServer::bodyOf);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to give up where it fails
  private CompletionException unanswered(
      CompletableFuture<HttpResponse<AsyncBody>> begun, Throwable cause) {
    if (!(cause instanceof TimeoutException)) {
      // A connection that was closed is no IOException to this client (Vert.x 4.5).
      return new CompletionException(
          cause instanceof VertxException ? new IOException(cause.getMessage(), cause) : cause);
    }
    begun.thenAccept(answer -> answer.body().cancel());
    return new CompletionException(
        new SocketTimeoutException(
            "no answer from the API server within " + limit.toMillis() + " ms"));
  }

  private static CompletionStage<byte[]> bodyOf(Answer answer) {
    return HttpResponse.isSuccessful(answer.code())
        ? CompletableFuture.completedFuture(answer.body())
        : CompletableFuture.failedFuture(refusal(answer.code(), answer.body()));
  }

  /** The {@code metav1.Status} of an answer, or its text when it has none. */
  private static ApiServerException refusal(int code, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      String message = JSON.readTree(text).path("message").asText("");
      return new ApiServerException(code, message.isEmpty() ? "HTTP " + code : message);
    } catch (JsonProcessingException e) {
      return new ApiServerException(code, "HTTP " + code + ": " + text.strip());
    }
  }

  /** Reads JSON that the API server wrote. */
  public static JsonNode parse(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException("the API server's answer is not JSON", e);
    }
  }

  /** The reason behind the wrappers that futures put around it; null for null. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** The first of all reasons, whatever was put around it. */
  public static Throwable rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static String text(Object value) {
    return TrainerJson.write(value);
  }
}
