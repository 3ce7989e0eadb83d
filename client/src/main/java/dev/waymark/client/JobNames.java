package dev.waymark.client;

import java.util.random.RandomGenerator;

/** Names for TrainJobs that aren't given one. */
final class JobNames {

  private static final int HEX_DIGITS = 11;

  /** A letter and eleven hexadecimal digits, as the Kubeflow SDK makes them. */
  static String random(RandomGenerator random) {
    StringBuilder name = new StringBuilder();
    name.append((char) ('a' + random.nextInt(26)));
    for (int i = 0; i < HEX_DIGITS; i++) {
      name.append(Character.forDigit(random.nextInt(16), 16));
    }
    return name.toString();
  }

  private JobNames() {}
}
