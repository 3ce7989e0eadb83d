package dev.waymark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.cli.history.Entry.Ended;
import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import dev.waymark.cli.history.EntryJson.DamagedLineException;
import dev.waymark.trainer.api.TrainerStatus;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntryJsonTest {

  static Stream<Entry> entries() {
    Instant now = Instant.parse("2026-11-29T18:00:00.123456Z");
    return Stream.of(
        new Started("default/iris", List.of("java", "-jar", "a b.jar"), now, new Recorder(7, now)),
        new Started("ns/ünï\n\u202e", List.of(), now, new Recorder(7, null)),
        new Reported(now, Reports.status(42, "loss", "0.1", "a\u0000b\n", "\"quoted\" 😀")),
        new Reported(now, new TrainerStatus(null, null, List.of(), null)),
        new Ended(now, 143));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void anEntryIsOneLineAndComesBackTheSame(Entry entry) throws DamagedLineException {
    String line = EntryJson.encode(entry);

    assertThat(line).doesNotContain("\n");
    assertThat(EntryJson.decode(line)).isEqualTo(entry);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "null",
        "[]",
        "{}",
        "12",
        "\"receivedAt\"",
        "{\"receivedAt\":\"yesterday\"}",
        "{\"endedAt\":1}",
        "{\"trainJob\":\"a/b\"}",
        "\u0000\u0000\u0000",
      })
  void whatIsNoEntryIsDamaged(String line) {
    assertThatThrownBy(() -> EntryJson.decode(line)).isInstanceOf(DamagedLineException.class);
  }
}
