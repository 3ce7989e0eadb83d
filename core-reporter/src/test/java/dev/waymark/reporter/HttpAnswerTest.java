package dev.waymark.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAnswerTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fixed length          | HTTP/1.1 200 OK~Content-Length: 2~~{}                        | 200 | {}     | true
          no reason             | HTTP/1.1 200~Content-Length: 2~~{}                           | 200 | {}     | true
          empty reason          | HTTP/1.1 422 ~Content-Length: 2~~{}                          | 422 | {}     | true
          other case            | HTTP/1.1 200 OK~content-LENGTH:2~~{}                         | 200 | {}     | true
          next answer follows   | HTTP/1.1 200 OK~Content-Length: 2~~{}HTTP/1.1 500            | 200 | {}     | true
          chunks                | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~3~abc~2;x=y~de~0~~ | 200 | abcde | true
          hex chunk, trailer    | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~A~0123456789~0~X: y~~ | 200 | 0123456789 | true
          no body by status     | HTTP/1.1 204 No Content~~                                    | 204 | ''     | true
          not modified          | HTTP/1.1 304 Not Modified~Content-Length: 9~~                | 304 | ''     | true
          interim first         | HTTP/1.1 100 Continue~~HTTP/1.1 103 Hints~A: b~~HTTP/1.1 500 No~Content-Length: 0~~ | 500 | '' | true
          close asked           | HTTP/1.1 403 Forbidden~Connection: close~Content-Length: 2~~{} | 403 | {}   | false
          keep-alive asked      | HTTP/1.1 200 OK~Connection: keep-alive~Content-Length: 2~~{} | 200 | {}     | true
          HTTP/1.0              | HTTP/1.0 200 OK~Content-Length: 2~~{}                        | 200 | {}     | false
          until the end         | HTTP/1.1 502 Bad Gateway~~<html>                             | 502 | <html> | false
          body cut              | HTTP/1.1 200 OK~Content-Length: 9~~{}                        | 200 | {}     | false
          chunk cut             | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~9~ab             | 200 | ab     | false
          chunk too long        | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~abc~0~~        | 200 | ab     | false
          chunk size nonsense   | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~zz~ab            | 200 | ''     | false
          trailer cut           | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~2~ab~0~X: y      | 200 | ab     | false
          length nonsense       | HTTP/1.1 200 OK~Content-Length: -2~~{}                       | 200 | {}     | false
          field without a colon | HTTP/1.1 200 OK~nonsense~Content-Length: 2~~{}               | 200 | {}     | true
          """)
  void readsStatusBodyAndWhetherTheConnectionCanBeUsedAgain(
      String name, String raw, int status, String excerpt, boolean reusable) throws IOException {
    HttpAnswer answer = HttpAnswer.read(stream(raw));

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.excerpt()).isEqualTo(excerpt);
    assertThat(answer.isReusable()).isEqualTo(reusable);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK",
        "HTTP/1.1 200 OK~Content-Length: 2",
        "HTTP/1.1 100 Continue~~",
        "HTTP/2 200~~",
        "HTTP/1.1 999 No~~",
        "HTTP/1.1 20 No~~",
        "220 mail.example.org ESMTP~~",
        "HTTP/1.1 100 A~~HTTP/1.1 100 A~~HTTP/1.1 100 A~~HTTP/1.1 100 A~~HTTP/1.1 100 A~~"
            + "HTTP/1.1 100 A~~HTTP/1.1 100 A~~HTTP/1.1 100 A~~HTTP/1.1 200 OK~~"
      })
  void anythingElseIsNoAnswer(String raw) {
    assertThatThrownBy(() -> HttpAnswer.read(stream(raw))).isInstanceOf(IOException.class);
  }

  @Test
  void aHeadWithoutEndIsGivenUp() {
    assertThatThrownBy(() -> HttpAnswer.read(endless("HTTP/1.1 200 OK\r\nA: ", 'b')))
        .hasMessageContaining("too large")
        .hasMessageContaining("A: bbb");
    assertThatThrownBy(() -> HttpAnswer.read(endless("", 'x'))).hasMessageContaining("too large");
    assertThatThrownBy(() -> HttpAnswer.read(endless("HTTP/1.1 200 OK\r\n", "a: b\r\n")))
        .hasMessageContaining("too large");
  }

  @Test
  void aBodyWithoutEndIsLeftWhereItIs() throws IOException {
    String chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    assertThat(HttpAnswer.read(endless("HTTP/1.1 200 OK\r\n\r\n", 'x')).isReusable()).isFalse();
    assertThat(HttpAnswer.read(endless(chunks, "2\r\nab\r\n")).isReusable()).isFalse();
    assertThat(HttpAnswer.read(endless(chunks + "0\r\n", "a: b\r\n")).isReusable()).isFalse();
  }

  @Test
  void ofALongBodyTheBeginningIsKeptAndTheRestIsReadSoThatTheConnectionCanBeUsedAgain()
      throws IOException {
    String body = "x".repeat(70_000);
    InputStream in = stream("HTTP/1.1 200 OK~Content-Length: 70000~~" + body + "!");

    HttpAnswer answer = HttpAnswer.read(in);

    assertThat(answer.excerpt()).isEqualTo("x".repeat(2048));
    assertThat(answer.isReusable()).isTrue();
    assertThat(in.read()).isEqualTo('!');
  }

  private static InputStream stream(String raw) {
    return new ByteArrayInputStream(raw.replace("~", "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  private static InputStream endless(String beginning, char then) {
    return endless(beginning, String.valueOf(then));
  }

  private static InputStream endless(String beginning, String then) {
    return new InputStream() {
      private long position;

      @Override
      public int read() {
        long at = position++;
        return at < beginning.length()
            ? beginning.charAt((int) at)
            : then.charAt((int) ((at - beginning.length()) % then.length()));
      }
    };
  }
}
