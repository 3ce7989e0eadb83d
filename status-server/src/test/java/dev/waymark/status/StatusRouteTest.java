package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusRouteTest {

  @ParameterizedTest
  @MethodSource("goRows")
  void routesAsGoDoes(String methodAndTarget, int code, String text) {
    String[] line = methodAndTarget.split(" ", 2);

    StatusRoute route = StatusRoute.of(line[0], line[1]);

    StatusRoute expected =
        switch (code) {
          case 200 -> {
            int gap = text.lastIndexOf(' ');
            yield new StatusRoute.Status(
                new TrainJobKey(text.substring(0, gap), text.substring(gap + 1)));
          }
          case 307 -> new StatusRoute.Redirect(text);
          case 400 -> new StatusRoute.Malformed();
          case 404 -> new StatusRoute.NotFound();
          default -> throw new IllegalArgumentException(text);
        };
    assertThat(route).isEqualTo(expected);
  }

  static Stream<Arguments> goRows() throws IOException {
    return GoTable.rows("go-routes.tsv");
  }

  @ParameterizedTest
  @CsvSource({
    "/a//%2F%41, /a/%2F%41",
    "/a//b%20c?q=%20, /a/b%20c?q=%20",
    "/a//\u00e9\u00ff, /a/%E9%FF",
    "//elsewhere.example/x, /elsewhere.example/x",
    "/\\elsewhere.example//x, /\\elsewhere.example/x",
  })
  void redirectsKeepEscapesAndStayOnThisServer(String target, String location) {
    assertThat(StatusRoute.of("POST", target)).isEqualTo(new StatusRoute.Redirect(location));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "*", "?", "x", "/a\u0000", "/a\u007fb", "/a\tb", "/%", "/%1", "/%g1", "/%-1"})
  void isMalformed(String target) {
    assertThat(StatusRoute.of("POST", target)).isEqualTo(new StatusRoute.Malformed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://elsewhere.example", "http://elsewhere.example/", "/a/", "/.a/b."})
  void isNotFound(String target) {
    assertThat(StatusRoute.of("POST", target)).isEqualTo(new StatusRoute.NotFound());
  }
}
