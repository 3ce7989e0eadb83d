package dev.waymark.cli.history;

import dev.waymark.cli.history.Entry.Started;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of this user: those of earlier processes and of others that run now, read from a folder
 * that all of them share, and those that this process records. Safe for use by several threads.
 */
public final class RunHistory {

  private static final Logger LOG = LoggerFactory.getLogger(RunHistory.class);

  private final HistoryLimits limits;

  /** Null for a history that is kept in memory only. */
  private final RecordingFolder folder;

  private final Map<String, RecordedRun> recordedHere = new ConcurrentHashMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean diskFailed = new AtomicBoolean();

  private RunHistory(HistoryLimits limits, RecordingFolder folder) {
    this.limits = limits;
    this.folder = folder;
  }

  /**
   * The history in a folder, which is made (0700) if it is missing.
   *
   * @throws IOException if the folder can't be made; its message is for the user
   */
  public static RunHistory open(Path directory) throws IOException {
    return open(directory, HistoryLimits.DEFAULT);
  }

  /** Like {@link #open(Path)}, with other bounds. */
  public static RunHistory open(Path directory, HistoryLimits limits) throws IOException {
    return new RunHistory(limits, RecordingFolder.open(directory.resolve("runs"), limits));
  }

  /** A history of this process alone, which is gone when the process ends. */
  public static RunHistory inMemory() {
    return new RunHistory(HistoryLimits.DEFAULT, null);
  }

  /**
   * {@code $WAYMARK_STATE_DIR}, else {@code $XDG_STATE_HOME/waymark}, else ~/.local/state/waymark.
   */
  public static Path defaultDirectory() {
    return StateDirectory.locate(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * Begins the record of a {@code waymark run}, and deletes old ones beyond the bounds.
   *
   * @param trainJob namespace and name, {@code ns/name}
   * @param command what was started, for the reader's eye
   */
  public RecordedRun begin(String trainJob, List<String> command, Instant startedAt) {
    Started started = new Started(trainJob, command, startedAt, Recorder.current());
    String name = RecordingName.of(startedAt);
    RecordingFile file = null;
    if (folder != null) {
      try {
        folder.deleteOld();
        file = folder.create(name, started);
      } catch (IOException e) {
        warnOfDisk(e);
      }
    }
    RecordedRun run = new RecordedRun(this, limits, new Recording(name, started), file);
    recordedHere.put(name, run);
    changed();
    return run;
  }

  /** All runs, newest first. Reads files that changed. */
  public List<RunSummary> runs() {
    List<String> names = new ArrayList<>(recordedHere.keySet());
    if (folder != null) {
      folder.names().stream().filter(name -> !recordedHere.containsKey(name)).forEach(names::add);
    }
    names.sort(Collections.reverseOrder());
    List<RunSummary> runs = new ArrayList<>();
    for (String name : names) {
      List<RunSummary> ofOne = new ArrayList<>(summaries(name));
      Collections.reverse(ofOne);
      runs.addAll(ofOne);
    }
    return runs;
  }

  private List<RunSummary> summaries(String name) {
    RecordedRun here = recordedHere.get(name);
    return here != null ? here.summaries() : folder.summaries(name);
  }

  /** All of a run, or empty where there is none. Reads its file. */
  public Optional<RunDetail> run(RunId id) {
    RecordedRun here = recordedHere.get(id.recording());
    if (here != null) {
      return here.detail(id.number());
    }
    return folder == null
        ? Optional.empty()
        : folder.read(id.recording()).flatMap(recording -> recording.detail(id.number()));
  }

  /**
   * Has a listener called after each change that this process makes. What other processes record
   * shows in the next {@link #runs()} only.
   *
   * @param listener called on the thread that reports: to be quick, and not to throw
   */
  public Subscription subscribe(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** What ends a subscription. */
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** A listener that fails must not keep a run from being recorded. */
  void changed() {
    for (Runnable listener : listeners) {
      try {
        listener.run();
      } catch (RuntimeException e) {
        LOG.warn("a listener to the history of runs failed", e);
      }
    }
  }

  void ended(String name, RecordedRun run) {
    if (run.isOnDisk()) {
      recordedHere.remove(name);
    }
    changed();
  }

  void warnOfDisk(IOException cause) {
    if (diskFailed.compareAndSet(false, true)) {
      LOG.warn(
          "the history of runs can't be written, this run is kept in memory only: {}",
          cause.toString());
    }
  }
}
