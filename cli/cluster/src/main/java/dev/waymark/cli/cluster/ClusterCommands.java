package dev.waymark.cli.cluster;

import dev.waymark.cli.CommandSource;
import java.util.List;

/** The commands for a cluster. */
public final class ClusterCommands implements CommandSource {

  @Override
  public List<Object> commands() {
    return List.of(
        new SubmitCommand(),
        new ListCommand(),
        new GetCommand(),
        new WatchCommand(),
        new DashboardCommand(),
        new LogsCommand(),
        new EventsCommand(),
        new WaitCommand(),
        new SuspendCommand(),
        new ResumeCommand(),
        new DeleteCommand(),
        new RuntimesCommand(),
        new DoctorCommand(),
        new VersionCommand(),
        new CompletionCommand());
  }
}
