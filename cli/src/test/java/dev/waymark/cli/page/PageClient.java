package dev.waymark.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A client of a page's server that sends whatever it likes. */
public final class PageClient {

  /** The end of a request's head. */
  public static final String CLOSE = "Connection: close\r\n\r\n";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI link;

  /** For the page that a link leads to. */
  public PageClient(URI link) {
    this.link = link;
  }

  public int port() {
    return link.getPort();
  }

  public String secret() {
    return link.getQuery().substring("secret=".length());
  }

  /** The header that a browser sends. */
  public String host() {
    return "Host: 127.0.0.1:" + port() + "\r\n";
  }

  /** The header that the page's own scripts send. */
  public String origin() {
    return "Origin: http://127.0.0.1:" + port() + "\r\n";
  }

  /** The header that a browser sends once it has opened the link. */
  public String cookie() throws IOException {
    String given = get(link.getPath() + "?" + link.getQuery()).header("set-cookie");
    return "Cookie: " + given.substring(0, given.indexOf(';')) + "\r\n";
  }

  public Response get(String path, String... headers) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\n" + host() + String.join("", headers) + CLOSE);
  }

  public Response post(String path, String... headers) throws IOException {
    return send(
        "POST "
            + path
            + " HTTP/1.1\r\n"
            + host()
            + "Content-Length: 0\r\n"
            + String.join("", headers)
            + CLOSE);
  }

  /** Sends a request as it is. */
  public Response send(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
      int end = all.indexOf("\r\n\r\n");
      return new Response(all.substring(0, end).lines().toList(), all.substring(end + 4));
    }
  }

  /** An answer. */
  public record Response(List<String> head, String body) {

    public int status() {
      return Integer.parseInt(head.get(0).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }

    /** Null where there is none. */
    public String header(String name) {
      return head.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse(null);
    }

    public JsonNode json() throws IOException {
      return JSON.readTree(body);
    }
  }

  /** Something that a page is told. */
  public record Event(String name, JsonNode data) {}

  /** Begins to listen to what is told at a path. */
  public Events events(String path, String cookie) throws IOException {
    return new Events(path, cookie);
  }

  /** Server-sent events. */
  public final class Events implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader reader;

    private Events(String path, String cookie) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port());
      socket.setSoTimeout(40_000);
      String request = "GET " + path + " HTTP/1.1\r\n" + host() + cookie + "\r\n";
      socket.getOutputStream().write(request.getBytes(UTF_8));
      reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    /** The data of the next event of this kind. */
    public JsonNode next(String event) throws IOException {
      String line;
      do {
        line = reader.readLine();
        assertThat(line).as("event %s", event).isNotNull();
      } while (!line.equals("event: " + event));
      return data();
    }

    /** The next event but for heartbeats. */
    public Event next() throws IOException {
      String line;
      do {
        line = reader.readLine();
        assertThat(line).as("an event").isNotNull();
      } while (!line.startsWith("event: ") || line.equals("event: heartbeat"));
      return new Event(line.substring("event: ".length()), data());
    }

    private JsonNode data() throws IOException {
      return JSON.readTree(reader.readLine().substring("data: ".length()));
    }

    /** All that is still to come. */
    public Stream<String> lines() {
      return reader.lines();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
