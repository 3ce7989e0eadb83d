package dev.waymark.cli.cluster;

import dev.waymark.client.TrainerException;
import picocli.CommandLine.ExitCode;

/** What a script learns from a command for a cluster without reading its words. */
final class ExitCodes {

  static final int DONE = 0;

  /** A TrainJob has ended badly, or a cluster isn't fit for TrainJobs. */
  static final int FAILED = 1;

  /** The command line or a TrainJob is wrong. */
  static final int WRONG = ExitCode.USAGE;

  static final int NOT_FOUND = 3;
  static final int TIMED_OUT = 4;

  /** The cluster doesn't answer, doesn't know the caller, gives no right, or can't do that. */
  static final int REFUSED = 5;

  /** What a shell makes of a program that SIGPIPE has ended. */
  static final int UNREAD = 128 + 13;

  static final String DONE_TEXT = "0:done";
  static final String FAILED_TEXT = "1:a TrainJob has failed; of doctor: something is broken";
  static final String WRONG_TEXT = "2:the command line or the TrainJob is wrong";
  static final String NOT_FOUND_TEXT = "3:there is no such TrainJob, runtime or log";
  static final String TIMED_OUT_TEXT = "4:the time is over";
  static final String REFUSED_TEXT =
      "5:the cluster doesn't answer, doesn't take the credentials, gives no right or can't do it";
  static final String DEFECT_TEXT = "125:Waymark itself failed";
  static final String UNREAD_TEXT = "141:nobody reads its output any more";

  /** By what went wrong. */
  static int of(TrainerException failure) {
    if (failure instanceof TrainerException.Failed) {
      return FAILED;
    } else if (failure instanceof TrainerException.Invalid
        || failure instanceof TrainerException.Conflict) {
      return WRONG;
    } else if (failure instanceof TrainerException.NotFound) {
      return NOT_FOUND;
    } else if (failure instanceof TrainerException.TimedOut) {
      return TIMED_OUT;
    }
    return REFUSED;
  }

  private ExitCodes() {}
}
