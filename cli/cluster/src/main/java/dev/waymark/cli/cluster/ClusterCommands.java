package dev.waymark.cli.cluster;

import dev.waymark.cli.CommandSource;
import dev.waymark.client.TrainerClient;
import java.util.List;

/** The commands for a cluster. */
public final class ClusterCommands implements CommandSource {

  private static final List<String> NAMES =
      List.of(
          "submit",
          "list",
          "get",
          "watch",
          "dashboard",
          "logs",
          "events",
          "wait",
          "suspend",
          "resume",
          "delete",
          "runtimes",
          "doctor",
          "version",
          "completion");

  @Override
  public List<String> names() {
    return NAMES;
  }

  @Override
  public Object command(String name) {
    return switch (name) {
      case "submit" -> new SubmitCommand();
      case "list" -> new ListCommand();
      case "get" -> new GetCommand();
      case "watch" -> new WatchCommand();
      case "dashboard" -> new DashboardCommand();
      case "logs" -> new LogsCommand();
      case "events" -> new EventsCommand();
      case "wait" -> new WaitCommand();
      case "suspend" -> new SuspendCommand();
      case "resume" -> new ResumeCommand();
      case "delete" -> new DeleteCommand();
      case "runtimes" -> new RuntimesCommand();
      case "doctor" -> new DoctorCommand();
      case "version" -> new VersionCommand();
      case "completion" -> new CompletionCommand();
      default -> throw new IllegalArgumentException("no command for a cluster: " + name);
    };
  }

  /** A client takes as long to load as picocli does, and longer. */
  @Override
  public void prepare() {
    TrainerClient.warmUp();
  }
}
