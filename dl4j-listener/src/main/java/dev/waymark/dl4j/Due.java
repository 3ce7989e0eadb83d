package dev.waymark.dl4j;

/** Which figures are to be read after a step, by what they cost. */
enum Due {
  NOTHING,
  /** Those that are only looked up. */
  CHEAP,
  /** Also those that a device is asked for. */
  ALL
}
