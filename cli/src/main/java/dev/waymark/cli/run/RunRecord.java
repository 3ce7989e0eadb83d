package dev.waymark.cli.run;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.waymark.status.InMemoryStatusSink.Report;
import dev.waymark.trainer.api.TrainerStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * Appends each accepted report to a file, as one line of JSON that is written with one call: who
 * reads along never sees half a line.
 */
final class RunRecord implements AutoCloseable {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private final Path path;
  private final OutputStream file;

  private RunRecord(Path path, OutputStream file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens the file, which is made if it is missing.
   *
   * @throws IOException if it can't be written; its message is for the user
   */
  static RunRecord appendTo(Path file) throws IOException {
    try {
      return new RunRecord(
          file, Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (NoSuchFileException e) {
      throw new IOException("Can't write the record " + file + ": its folder is not there", e);
    } catch (FileSystemException e) {
      throw new IOException("Can't write the record " + file + ": " + e.getReason(), e);
    }
  }

  /**
   * Adds a line.
   *
   * @throws IOException if it can't be written; its message is for the user
   */
  void append(Report report) throws IOException {
    Line line = new Line(report.receivedAt(), report.trainJob().toString(), report.status());
    byte[] json = (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      file.write(json);
    } catch (IOException e) {
      throw new IOException("Can't write the record " + path + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** {@code receivedAt} is written after RFC 3339, in UTC. */
  @JsonPropertyOrder({"receivedAt", "trainJob", "trainerStatus"})
  private record Line(Instant receivedAt, String trainJob, TrainerStatus trainerStatus) {}
}
