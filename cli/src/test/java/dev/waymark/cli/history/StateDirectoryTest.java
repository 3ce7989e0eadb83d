package dev.waymark.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateDirectoryTest {

  @ParameterizedTest(name = "WAYMARK_STATE_DIR={0} XDG_STATE_HOME={1}: {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,/home/me/.local/state/waymark",
        "'','',/home/me/.local/state/waymark",
        "-,/state,/state/waymark",
        "-,state,/home/me/.local/state/waymark",
        "/mine,/state,/mine",
        "mine,-,mine",
      })
  void ownVariableThenXdgThenHome(String own, String xdg, String expected) {
    Map<String, String> environment = new HashMap<>();
    if (own != null) {
      environment.put("WAYMARK_STATE_DIR", own);
    }
    if (xdg != null) {
      environment.put("XDG_STATE_HOME", xdg);
    }
    assertThat(StateDirectory.locate(environment, Path.of("/home/me")))
        .isEqualTo(Path.of(expected));
  }
}
