package dev.waymark.cli.cluster.dashboard;

import dev.waymark.cli.page.PageAnswer;
import dev.waymark.cli.page.PageContent;
import dev.waymark.cli.page.PageFile;
import dev.waymark.cli.page.PageRows;
import dev.waymark.cli.page.PageStream;
import dev.waymark.client.LogOptions;
import dev.waymark.client.TrainerClient;
import dev.waymark.client.TrainerException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the dashboard can be asked, of the TrainJobs on its {@link Board} and of no others.
 *
 * <pre>
 *   GET  /api/jobs/{namespace}/{name}           where it stands, its curves, its steps
 *   GET  /api/jobs/{namespace}/{name}/events    what the cluster told of it
 *   GET  /api/jobs/{namespace}/{name}/logs      the log of {@code ?step=}, as server-sent events
 *   POST /api/jobs/{namespace}/{name}/suspend
 *   POST /api/jobs/{namespace}/{name}/resume
 * </pre>
 */
final class DashboardPage implements PageContent, AutoCloseable {

  private static final Pattern JOB =
      Pattern.compile("/api/jobs/([a-z0-9.-]{1,253}/[a-z0-9.-]{1,253})(?:/([a-z]+))?");

  private static final Pattern STEP = Pattern.compile("[a-z0-9-]{1,63}");
  private static final String FOLDER = "dev/waymark/cli/cluster/dashboard/";

  private static final List<String> MODULES =
      List.of("actions", "dashboard", "filters", "jobs", "logs", "opened");

  /** Calls of the cluster at a time, and those that wait. */
  private static final int CALLS = 4;

  private static final int WAITING_CALLS = 32;

  private static final PageAnswer NOTHING = PageAnswer.refused(404, "There is nothing here.");

  private static final PageAnswer NOT_HERE =
      PageAnswer.refused(404, "This TrainJob is not there, or not there any more.");

  private final TrainerClient client;
  private final Board board;
  private final ThreadPoolExecutor calls =
      new ThreadPoolExecutor(
          CALLS,
          CALLS,
          30,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(WAITING_CALLS),
          task -> {
            Thread thread = new Thread(task, "waymark-dashboard-call");
            thread.setDaemon(true);
            return thread;
          });

  DashboardPage(TrainerClient client, Board board) {
    this.client = client;
    this.board = board;
    calls.allowCoreThreadTimeOut(true);
  }

  @Override
  public String command() {
    return "waymark dashboard";
  }

  @Override
  public List<PageFile> files() {
    return Stream.concat(
            Stream.of(
                PageFile.html("/", FOLDER + "dashboard.html"),
                PageFile.css("/dashboard.css", FOLDER + "dashboard.css")),
            MODULES.stream()
                .map(name -> PageFile.script("/" + name + ".js", FOLDER + name + ".js")))
        .toList();
  }

  @Override
  public PageRows rows() {
    return board;
  }

  @Override
  public boolean isAction(String path) {
    Matcher job = JOB.matcher(path);
    return job.matches() && List.of("suspend", "resume").contains(String.valueOf(job.group(2)));
  }

  @Override
  public CompletionStage<PageAnswer> answer(String path) {
    Matcher job = JOB.matcher(path);
    if (!job.matches()) {
      return CompletableFuture.completedFuture(NOTHING);
    } else if (job.group(2) == null) {
      return CompletableFuture.completedFuture(
          board.detail(job.group(1)).map(PageAnswer::json).orElse(NOT_HERE));
    } else if (job.group(2).equals("events")) {
      return ask(job.group(1), it -> JobJson.events(clientOf(it).events(it.name()), Instant.now()));
    }
    return CompletableFuture.completedFuture(NOTHING);
  }

  @Override
  public CompletionStage<PageAnswer> act(String path) {
    Matcher job = JOB.matcher(path);
    if (!job.matches()) {
      throw new IllegalArgumentException(path);
    }
    boolean suspend = job.group(2).equals("suspend");
    return ask(
        job.group(1),
        it -> {
          if (suspend) {
            clientOf(it).suspend(it.name());
          } else {
            clientOf(it).resume(it.name());
          }
          return "{}";
        });
  }

  /** Asks the cluster about a TrainJob, and hands on its refusal in words. */
  private CompletionStage<PageAnswer> ask(String id, Function<BoardJob, String> question) {
    Optional<BoardJob> job = board.job(id);
    if (job.isEmpty()) {
      return CompletableFuture.completedFuture(NOT_HERE);
    }
    try {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return PageAnswer.json(question.apply(job.get()));
            } catch (TrainerException e) {
              return PageAnswer.refused(status(e), e.getMessage());
            }
          },
          calls);
    } catch (RejectedExecutionException tooMany) {
      return CompletableFuture.completedFuture(
          PageAnswer.refused(503, "The cluster is asked for too much at once. Try again."));
    }
  }

  /** Of HTTP; the message says more. */
  static int status(TrainerException refusal) {
    if (refusal instanceof TrainerException.NotFound) {
      return 404;
    } else if (refusal instanceof TrainerException.Denied
        || refusal instanceof TrainerException.NotLoggedIn) {
      return 403;
    } else if (refusal instanceof TrainerException.Failed
        || refusal instanceof TrainerException.Conflict
        || refusal instanceof TrainerException.Invalid) {
      return 409;
    }
    return 502;
  }

  @Override
  public Optional<PageStream> stream(String path, UnaryOperator<String> parameter) {
    Matcher job = JOB.matcher(path);
    String step = Objects.requireNonNullElse(parameter.apply("step"), "node-0");
    if (!job.matches() || !"logs".equals(job.group(2)) || !STEP.matcher(step).matches()) {
      return Optional.empty();
    }
    return board
        .job(job.group(1))
        .map(
            it ->
                new LogTail(
                    lines ->
                        clientOf(it)
                            .logs(
                                it.name(),
                                LogOptions.standard()
                                    .ofStep(step)
                                    .following()
                                    .tail(LogTail.FIRST_LINES),
                                lines)));
  }

  private TrainerClient clientOf(BoardJob job) {
    return client.inNamespace(job.namespace());
  }

  @Override
  public void close() {
    calls.shutdownNow();
  }
}
