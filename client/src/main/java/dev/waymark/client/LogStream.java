package dev.waymark.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The log of one container, line by line, as the API server hands it on. It is asked with
 * timestamps, so that a stream that was cut can go on where it was.
 */
final class LogStream {

  /** What the API server says as long as a container hasn't begun. */
  private static final int NOT_YET = 400;

  private final HttpClient http;
  private final String server;
  private final String namespace;
  private final String pod;
  private final String container;
  private final Duration limit;

  /** Time of the last line that was told; empty before the first. */
  private String last = "";

  /** Up to which time lines are those that were told before the cut; empty behind them. */
  private String resumedAt = "";

  /** A request that has been refused; its message is the server's. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;
    private final int code;

    Refused(int code, String message) {
      super(message);
      this.code = code;
    }

    /** Whether the same request may be answered later. */
    boolean isTooEarly() {
      return code == NOT_YET || code >= 500;
    }
  }

  LogStream(
      KubernetesClient client, String namespace, String pod, String container, Duration limit) {
    this.http = client.getHttpClient();
    this.server = client.getMasterUrl().toString().replaceFirst("/+$", "");
    this.namespace = namespace;
    this.pod = pod;
    this.container = container;
    this.limit = limit;
  }

  /**
   * Reads what there is, and while following what comes, until the stream ends; a second call goes
   * on where the first has ended. An interrupt ends it: closing the stream would not, as long as
   * nothing comes (fabric8 7.6.1).
   *
   * @throws Refused if the server refuses
   * @throws IOException if the stream was cut
   */
  void read(LogOptions options, Consumer<String> lines) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = send(options);
    InputStream body = answer.body();
    boolean ended = false;
    try {
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
      if (!answer.isSuccessful()) {
        String message = message(reader);
        ended = true;
        throw new Refused(answer.code(), message);
      }
      resumedAt = last;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        tell(line, lines);
      }
      ended = true;
    } finally {
      if (!ended) {
        // One that has ended must not be closed: that resets its connection, which by then may
        // serve another request (fabric8 7.6.1).
        body.close();
      }
    }
  }

  /** Before each line stand its time and a blank. After a cut, a second's lines come once more. */
  private void tell(String line, Consumer<String> lines) {
    int blank = line.indexOf(' ');
    String time = blank < 0 ? line : line.substring(0, blank);
    if (time.compareTo(resumedAt) > 0) {
      resumedAt = "";
      last = time;
      lines.accept(blank < 0 ? "" : line.substring(blank + 1));
    }
  }

  private HttpResponse<InputStream> send(LogOptions options)
      throws IOException, InterruptedException {
    HttpRequest request =
        http.newHttpRequestBuilder()
            .uri(server + path(options))
            .timeout(limit.toMillis(), TimeUnit.MILLISECONDS) // to the head of the answer
            .forStreaming()
            .build();
    try {
      return http.sendAsync(request, InputStream.class)
          .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("the log of " + pod + " can't be read", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + TimeText.of(limit), e);
    }
  }

  private String path(LogOptions options) {
    StringBuilder path = new StringBuilder();
    path.append("/api/v1/namespaces/").append(encoded(namespace));
    path.append("/pods/").append(encoded(pod)).append("/log?container=").append(encoded(container));
    path.append("&timestamps=true");
    if (options.follow()) {
      path.append("&follow=true");
    }
    if (options.previous()) {
      path.append("&previous=true");
    }
    if (!last.isEmpty()) {
      path.append("&sinceTime=").append(encoded(last));
    } else if (options.tailLines() != null) {
      path.append("&tailLines=").append(options.tailLines());
    }
    return path.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Of the server's Status, or all of it. */
  private static String message(BufferedReader reader) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      text.append(line);
    }
    try {
      JsonNode message = new ObjectMapper().readTree(text.toString()).path("message");
      return message.isTextual() ? message.asText() : text.toString();
    } catch (JsonProcessingException notOfTheApiServer) {
      return text.toString();
    }
  }
}
