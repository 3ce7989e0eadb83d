package dev.waymark.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BearerTokenTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Bearer a.b.c,a.b.c",
        "bearer a.b.c,a.b.c",
        "BEARER a.b.c,a.b.c",
        "BeArEr a.b.c,a.b.c",
        " Bearer \t a.b.c ,a.b.c",
        "\tBearer\u000ba.b.c\f,a.b.c",
        "Bearer a.b.c\tb,-",
        "Bearer,-",
        "Bearer ,-",
        "Bearer a b,-",
        "Bearera.b.c,-",
        "Basic a.b.c,-",
        "a.b.c,-",
        "' ',-",
        "'',-",
        "-,-",
      })
  void isTheSecondOfExactlyTwoFields(String header, String token) {
    assertThat(StatusEndpoint.bearerToken(header)).isEqualTo(token);
  }
}
