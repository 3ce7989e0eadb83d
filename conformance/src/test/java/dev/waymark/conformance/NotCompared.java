package dev.waymark.conformance;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * An entry of {@code not-compared.yaml}: something that no controller decides.
 *
 * @param goldenCase null: of all cases
 * @param chance it need not be there in every run
 */
record NotCompared(
    @JsonProperty("case") String goldenCase,
    @JsonProperty("path") String path,
    @JsonProperty("reason") String reason,
    @JsonProperty("chance") boolean chance) {

  /** Reads the file; keys that no entry has are an error. */
  static List<NotCompared> readAll(Path file) {
    try {
      return List.of(
          new ObjectMapper(new YAMLFactory()).readValue(file.toFile(), NotCompared[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }
}
