package dev.waymark.cli.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.waymark.cli.history.Entry.Ended;
import dev.waymark.cli.history.Entry.Reported;
import dev.waymark.cli.history.Entry.Started;
import dev.waymark.cli.history.EntryJson.DamagedLineException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;

/**
 * A recording's file: one entry a line, appended with a single write, so that a crash leaves at
 * most a last line without its end. Not safe for use by several threads.
 */
final class RecordingFile implements AutoCloseable {

  static final String ENDING = ".jsonl";
  static final String REWRITE_ENDING = ".rewrite";

  private final Path path;
  private FileChannel channel;
  private long size;

  private RecordingFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /** A new file that only this user may read. */
  static RecordingFile create(Path path) throws IOException {
    return new RecordingFile(path, openNew(path));
  }

  private static FileChannel openNew(Path path) throws IOException {
    Set<OpenOption> options = Set.of(CREATE_NEW, WRITE, APPEND);
    return FileChannel.open(path, options, OwnerOnly.fileAttributes(path));
  }

  long size() {
    return size;
  }

  void append(Entry entry) throws IOException {
    write(channel, entry);
  }

  private void write(FileChannel to, Entry entry) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((EntryJson.encode(entry) + "\n").getBytes(UTF_8));
    size += line.remaining();
    while (line.hasRemaining()) {
      to.write(line);
    }
  }

  /** Replaces all that was written by this recording; a crash leaves the one or the other. */
  void rewrite(Recording recording) throws IOException {
    Path replacement = path.resolveSibling(path.getFileName() + REWRITE_ENDING);
    Files.deleteIfExists(replacement);
    FileChannel fresh = openNew(replacement);
    try {
      size = 0;
      for (Entry entry : (Iterable<Entry>) recording.entries()::iterator) {
        write(fresh, entry);
      }
      fresh.force(true);
      Files.move(replacement, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      fresh.close();
      throw e;
    }
    channel.close();
    channel = fresh;
  }

  /** Onto the disk itself, so that it outlives a power cut. */
  void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * What a file holds.
   *
   * @param damagedLines how many lines were skipped
   */
  record Content(Recording recording, int damagedLines) {}

  /**
   * Reads a file that may be written at this moment. A last line without its end is not read.
   *
   * @throws DamagedLineException if not even the first line can be read
   */
  static Content read(Path path) throws IOException, DamagedLineException {
    String text = new String(Files.readAllBytes(path), UTF_8);
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    if (lines.isEmpty() || !(EntryJson.decode(lines.get(0)) instanceof Started started)) {
      throw new DamagedLineException(null);
    }
    Recording recording = new Recording(name(path), started);
    int damaged = 0;
    for (String line : lines.subList(1, lines.size())) {
      try {
        Entry entry = EntryJson.decode(line);
        if (entry instanceof Reported reported) {
          recording.add(reported);
        } else if (entry instanceof Ended ended) {
          recording.end(ended);
        }
      } catch (DamagedLineException e) {
        damaged++;
      }
    }
    return new Content(recording, damaged);
  }

  static String name(Path path) {
    String file = path.getFileName().toString();
    return file.substring(0, file.length() - ENDING.length());
  }
}
