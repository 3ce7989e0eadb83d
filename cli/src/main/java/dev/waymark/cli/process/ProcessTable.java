package dev.waymark.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells running processes from those that have ended and are only listed still.
 *
 * <p>{@link ProcessHandle#isAlive} and {@link ProcessHandle#onExit} count a process until its
 * parent has asked how it ended. An orphan's parent is the first process, which in many containers
 * is no init and never asks: such an orphan is "alive" for good (Linux, JDK 17 to 25).
 */
public final class ProcessTable {

  private static final Path PROC = Path.of("/proc");

  private ProcessTable() {}

  /** Whether the process executes, or could when its turn comes. */
  public static boolean isRunning(ProcessHandle process) {
    return process.isAlive() && !isZombie(process.pid());
  }

  private static boolean isZombie(long pid) {
    try {
      // proc(5): "pid (name) state ...", and a name may hold blanks and brackets.
      String stat = Files.readString(PROC.resolve(pid + "/stat"));
      return stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
    } catch (IOException e) {
      return false; // gone since, or a system without /proc, whose first process is an init
    }
  }
}
