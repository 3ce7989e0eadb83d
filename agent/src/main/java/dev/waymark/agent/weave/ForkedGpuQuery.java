package dev.waymark.agent.weave;

/**
 * Repairs what DJL reads from the JVM that it forks to count GPUs ({@code
 * -Dai.djl.util.cuda.fork=true}).
 *
 * <p>DJL 0.36.0 mixes that JVM's standard error into the answer and takes all of it for numbers. A
 * JVM that was started with {@code JAVA_TOOL_OPTIONS} or {@code JDK_JAVA_OPTIONS} says so there
 * first; DJL would then see no GPU, and train on the CPU without a word.
 */
final class ForkedGpuQuery {
  private ForkedGpuQuery() {}

  /**
   * The answer alone.
   *
   * @param fields the whole output, split at commas
   * @return the fields of its last line
   */
  static String[] withoutBanner(String[] fields) {
    String output = String.join(",", fields).trim();
    return output.substring(output.lastIndexOf('\n') + 1).trim().split(",");
  }
}
