package dev.waymark.client;

/**
 * A line that a container wrote.
 *
 * @param step whose it is, such as {@code node-0}
 * @param text without its end
 */
public record LogLine(String step, String text) {}
