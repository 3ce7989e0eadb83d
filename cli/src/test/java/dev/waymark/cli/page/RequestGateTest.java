package dev.waymark.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.cli.page.RequestGate.Request;
import dev.waymark.cli.page.RequestGate.Secrets;
import dev.waymark.cli.page.RequestGate.Verdict;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestGateTest {

  private final RequestGate gate =
      new RequestGate(8080, new Secrets("link", "biscuit"), path -> path.endsWith("/suspend"));

  @ParameterizedTest(name = "{0} {1} of {2} from {3} ({4}): {6}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          # method | path      | hosts                 | origin                    | fetch site/mode/dest            | cookie  | verdict
          # the browser's own requests
          GET     | /          | 127.0.0.1:8080        | -                         | none/navigate/document          | biscuit | SERVE
          GET     | /          | localhost:8080        | -                         | same-origin/navigate/document   | biscuit | SERVE
          GET     | /          | [::1]:8080            | -                         | -                               | biscuit | SERVE
          GET     | /page.js   | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/script         | biscuit | SERVE
          GET     | /api/runs  | 127.0.0.1:8080        | -                         | same-origin/cors/empty          | biscuit | SERVE
          # without the cookie
          GET     | /          | 127.0.0.1:8080        | -                         | none/navigate/document          | -       | NO_COOKIE
          GET     | /api/runs  | 127.0.0.1:8080        | -                         | -                               | biscui  | NO_COOKIE
          GET     | /api/runs  | 127.0.0.1:8080        | -                         | -                               | link    | NO_COOKIE
          # DNS rebinding
          GET     | /          | evil.example:8080     | -                         | none/navigate/document          | biscuit | WRONG_HOST
          GET     | /api/runs  | evil.example:8080     | http://evil.example:8080  | same-origin/cors/empty          | biscuit | WRONG_HOST
          GET     | /          | 127.0.0.1             | -                         | -                               | biscuit | WRONG_HOST
          GET     | /          | 127.0.0.1:80          | -                         | -                               | biscuit | WRONG_HOST
          GET     | /          | 127.0.0.1:8080.evil   | -                         | -                               | biscuit | WRONG_HOST
          GET     | /          | 127.0.0.1:8080 evil:1 | -                         | -                               | biscuit | WRONG_HOST
          GET     | /          | -                     | -                         | -                               | biscuit | WRONG_HOST
          # other sites' pages, and other programs' on this machine
          GET     | /api/runs  | 127.0.0.1:8080        | http://evil.example       | cross-site/cors/empty           | biscuit | FOREIGN_ORIGIN
          GET     | /api/runs  | 127.0.0.1:8080        | http://evil.example       | -                               | biscuit | FOREIGN_ORIGIN
          GET     | /api/runs  | 127.0.0.1:8080        | http://127.0.0.1:9090     | same-site/cors/empty            | biscuit | FOREIGN_ORIGIN
          GET     | /api/runs  | 127.0.0.1:8080        | https://127.0.0.1:8080    | -                               | biscuit | FOREIGN_ORIGIN
          GET     | /api/runs  | 127.0.0.1:8080        | null                      | -                               | biscuit | FOREIGN_ORIGIN
          GET     | /page.js   | 127.0.0.1:8080        | -                         | cross-site/no-cors/script       | biscuit | FOREIGN_ORIGIN
          GET     | /page.js   | 127.0.0.1:8080        | -                         | same-site/no-cors/script        | biscuit | FOREIGN_ORIGIN
          GET     | /          | 127.0.0.1:8080        | -                         | cross-site/navigate/iframe      | biscuit | FOREIGN_ORIGIN
          GET     | /api/runs  | 127.0.0.1:8080        | -                         | cross-site/navigate/document    | biscuit | FOREIGN_ORIGIN
          # a link in a terminal that is itself a web page
          GET     | /          | 127.0.0.1:8080        | -                         | cross-site/navigate/document    | -       | NO_COOKIE_YET
          # methods
          POST    | /          | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/empty          | biscuit | WRONG_METHOD
          OPTIONS | /api/runs  | 127.0.0.1:8080        | -                         | -                               | biscuit | WRONG_METHOD
          HEAD    | /          | 127.0.0.1:8080        | -                         | -                               | biscuit | WRONG_METHOD
          # what is to be done
          POST    | /a/suspend | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/empty          | biscuit | SERVE
          POST    | /a/suspend | localhost:8080        | http://localhost:8080     | -                               | biscuit | SERVE
          POST    | /a/suspend | 127.0.0.1:8080        | -                         | same-origin/cors/empty          | biscuit | NO_ORIGIN
          POST    | /a/suspend | 127.0.0.1:8080        | -                         | -                               | biscuit | NO_ORIGIN
          POST    | /a/suspend | 127.0.0.1:8080        | null                      | same-origin/no-cors/empty       | biscuit | FOREIGN_ORIGIN
          POST    | /a/suspend | 127.0.0.1:8080        | http://evil.example       | cross-site/no-cors/empty        | biscuit | FOREIGN_ORIGIN
          POST    | /a/suspend | 127.0.0.1:8080        | http://127.0.0.1:9090     | same-site/navigate/document     | biscuit | FOREIGN_ORIGIN
          POST    | /a/suspend | evil.example:8080     | http://evil.example:8080  | same-origin/cors/empty          | biscuit | WRONG_HOST
          POST    | /a/suspend | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/empty          | -       | NO_COOKIE
          POST    | /a/suspend | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/empty          | link    | NO_COOKIE
          GET     | /a/suspend | 127.0.0.1:8080        | -                         | none/navigate/document          | biscuit | WRONG_METHOD
          PUT     | /a/suspend | 127.0.0.1:8080        | http://127.0.0.1:8080     | same-origin/cors/empty          | biscuit | WRONG_METHOD
          """)
  void answersTheUsersBrowserOnly(
      String method,
      String path,
      String hosts,
      String origin,
      String fetch,
      String cookie,
      Verdict expected) {
    assertThat(gate.judge(request(method, path, hosts, origin, fetch, null, cookie)))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}?secret={1}: {2}")
  @CsvSource({
    "/,link,GIVE_COOKIE",
    "/,lin,WRONG_SECRET",
    "/,linkk,WRONG_SECRET",
    "/,'',WRONG_SECRET",
    "/,biscuit,WRONG_SECRET",
    "/page.js,link,WRONG_SECRET",
  })
  void theSecretOpensTheFrontDoorOnly(String path, String secret, Verdict expected) {
    String self = "127.0.0.1:8080";
    assertThat(gate.judge(request("GET", path, self, null, null, secret, null)))
        .isEqualTo(expected);
    assertThat(gate.judge(request("GET", path, "evil.example:8080", null, null, secret, null)))
        .isEqualTo(Verdict.WRONG_HOST);
  }

  @Test
  void secretsAreLongAndNeverTheSame() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Secrets secrets = Secrets.random();
      assertThat(secrets.link()).hasSize(43).matches("[\\w-]+");
      seen.addAll(List.of(secrets.link(), secrets.cookie()));
    }
    assertThat(seen).hasSize(200);
  }

  private static Request request(
      String method,
      String path,
      String hosts,
      String origin,
      String fetch,
      String secret,
      String cookie) {
    String[] metadata = fetch == null ? new String[3] : fetch.split("/");
    return new Request(
        method,
        hosts == null ? List.of() : Arrays.asList(hosts.split(" ")),
        origin,
        path,
        secret,
        cookie,
        metadata[0],
        metadata[1],
        metadata[2]);
  }
}
