package dev.waymark.controller;

import java.util.Optional;

/**
 * A part of the running controller with a life of its own: a server, the certificates, the
 * reconcilers. {@link Controller} starts its components in their order, asks them what the probes
 * want to know, and closes them in the opposite order.
 */
public interface Component extends AutoCloseable {

  /** What probes and logs call it, such as {@code status-server}. */
  String name();

  /**
   * Starts; returns when it serves, or when all that it needs for that is under way and {@link
   * #notReady()} tells the rest. Called once, on a thread that may wait.
   *
   * @throws Exception when it can't; the controller then ends
   */
  void start() throws Exception;

  /**
   * Why it can't do its work right now; empty when it can. Asked by the readiness probe from any
   * thread, at any time, before {@link #start()} too; must not wait.
   */
  Optional<String> notReady();

  /**
   * Why only a new process can help; empty when all is well. Asked by the liveness probe, as {@link
   * #notReady()} is.
   */
  default Optional<String> dead() {
    return Optional.empty();
  }

  /**
   * What the JVM should have compiled when many TrainJobs come; empty: nothing. Made once, by a
   * thread that may wait, when all components are ready: to make it takes long.
   */
  default Optional<Practice> practice() {
    return Optional.empty();
  }

  /** Ends in good order, within a few seconds. Waits for it. */
  @Override
  void close();
}
