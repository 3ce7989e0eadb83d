package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Started;
import dev.waymark.cli.history.EntryJson.DamagedLineException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that holds the recordings of this and of other processes. Any of them may add, grow,
 * rewrite or delete files at any time: a file that is gone when it is looked for was never there.
 * Safe for use by several threads.
 */
final class RecordingFolder {

  private static final Logger LOG = LoggerFactory.getLogger(RecordingFolder.class);

  private final Path directory;
  private final HistoryLimits limits;
  private final Map<String, Outline> outlines = new ConcurrentHashMap<>();
  private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

  private RecordingFolder(Path directory, HistoryLimits limits) {
    this.directory = directory;
    this.limits = limits;
  }

  static RecordingFolder open(Path directory, HistoryLimits limits) throws IOException {
    try {
      OwnerOnly.createDirectories(directory);
    } catch (IOException e) {
      throw new IOException(
          "the history of runs can't be kept in "
              + directory
              + " ("
              + e
              + "): set WAYMARK_STATE_DIR to a folder that can be written",
          e);
    }
    return new RecordingFolder(directory, limits);
  }

  RecordingFile create(String name, Started started) throws IOException {
    RecordingFile file = RecordingFile.create(path(name));
    file.append(started);
    return file;
  }

  /** Names of all recordings, newest first. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "*" + RecordingFile.ENDING)) {
      for (Path file : files) {
        names.add(RecordingFile.name(file));
      }
    } catch (IOException | DirectoryIteratorException e) {
      warnOnce("", "the history of runs can't be read: " + e);
    }
    names.removeIf(name -> !RecordingName.isOne(name));
    names.sort(Collections.reverseOrder());
    outlines.keySet().retainAll(names);
    return names;
  }

  /** The runs of a recording, in their order; none if the file is gone or damaged. */
  List<RunSummary> summaries(String name) {
    return outline(name).map(LiveRecording::summaries).orElse(List.of());
  }

  /** A whole recording, or empty if the file is gone or damaged. */
  Optional<LiveRecording> read(String name) {
    return RecordingName.isOne(name)
        ? attributes(name).flatMap(a -> parse(name, a)).map(LiveRecording::new)
        : Optional.empty();
  }

  private Optional<LiveRecording> outline(String name) {
    Optional<BasicFileAttributes> attributes = attributes(name);
    if (attributes.isEmpty()) {
      return Optional.empty();
    }
    Outline known = outlines.get(name);
    if (known != null && known.isOf(attributes.get())) {
      return known.recording();
    }
    Optional<LiveRecording> recording =
        parse(name, attributes.get())
            .map(r -> r.thinned(limits.maxRunsPerRecording(), 2))
            .map(LiveRecording::new);
    outlines.put(name, Outline.of(attributes.get(), recording));
    return recording;
  }

  private Optional<BasicFileAttributes> attributes(String name) {
    try {
      return Optional.of(Files.readAttributes(path(name), BasicFileAttributes.class));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<Recording> parse(String name, BasicFileAttributes attributes) {
    // A file without a line belongs to a process that has made it this moment, or died then.
    if (attributes.size() == 0) {
      return Optional.empty();
    }
    if (attributes.size() > limits.absurdFileSize()) {
      warnOnce(name, path(name) + " is skipped: far larger than any that Waymark writes");
      return Optional.empty();
    }
    try {
      RecordingFile.Content content = RecordingFile.read(path(name));
      if (content.damagedLines() > 0) {
        warnOnce(name, path(name) + ": skipped damaged lines: " + content.damagedLines());
      }
      return Optional.of(content.recording());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (DamagedLineException e) {
      warnOnce(name, path(name) + " is skipped: its first line is damaged");
    } catch (IOException e) {
      warnOnce(name, path(name) + " is skipped: " + e);
    }
    return Optional.empty();
  }

  /** Deletes the oldest files until one more fits, but none that a process still writes. */
  void deleteOld() throws IOException {
    deleteAbandonedRewrites();
    int kept = 0;
    long bytes = 0;
    for (String name : names()) {
      Optional<BasicFileAttributes> attributes = attributes(name);
      if (attributes.isEmpty()) {
        continue;
      }
      kept++;
      bytes += attributes.get().size();
      boolean fits = kept < limits.maxRecordings() && bytes <= limits.maxBytes();
      if (!fits && !outline(name).map(LiveRecording::isBeingWritten).orElse(false)) {
        Files.deleteIfExists(path(name));
        kept--;
        bytes -= attributes.get().size();
      }
    }
  }

  /** What a process left that died while it rewrote its file. */
  private void deleteAbandonedRewrites() throws IOException {
    Instant old = Instant.now().minus(Duration.ofHours(1));
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "*" + RecordingFile.REWRITE_ENDING)) {
      for (Path file : files) {
        try {
          if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
            Files.deleteIfExists(file);
          }
        } catch (NoSuchFileException e) {
          // It is no longer abandoned: its process has put it in the recording's place.
        }
      }
    }
  }

  private Path path(String name) {
    return directory.resolve(name + RecordingFile.ENDING);
  }

  private void warnOnce(String key, String message) {
    if (warnedOf.add(key)) {
      LOG.warn("{}", message);
    }
  }

  /**
   * What a file said when it was last read: enough for its rows in the table.
   *
   * @param recording empty for a damaged file
   */
  private record Outline(long size, FileTime modified, Optional<LiveRecording> recording) {

    static Outline of(BasicFileAttributes attributes, Optional<LiveRecording> recording) {
      return new Outline(attributes.size(), attributes.lastModifiedTime(), recording);
    }

    boolean isOf(BasicFileAttributes attributes) {
      return size == attributes.size() && modified.equals(attributes.lastModifiedTime());
    }
  }

  /** A recording as it was read, together with the question whether its writer still lives. */
  record LiveRecording(Recording recording) {

    boolean isBeingWritten() {
      return !recording.hasEnded() && recording.started().recorder().isAlive();
    }

    List<RunSummary> summaries() {
      return recording.summaries(isBeingWritten());
    }

    Optional<RunDetail> detail(int number) {
      return recording.detail(number, isBeingWritten());
    }
  }
}
