package dev.waymark.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts a prefix before each line and hands on whole lines, so that streams that share a target
 * don't mix within a line. A line that gets too long is broken. Used by one thread.
 */
final class PrefixedLines extends OutputStream {

  private static final int LONGEST_LINE = 64 * 1024;

  private final OutputStream target;
  private final byte[] prefix;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** Writes to the target under the target's own monitor; never closes it. */
  PrefixedLines(OutputStream target, String prefix) {
    this.target = target;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void write(int b) throws IOException {
    if (line.size() == 0) {
      line.write(prefix, 0, prefix.length);
    }
    line.write(b);
    if (b == '\n') {
      handOn();
    } else if (line.size() >= LONGEST_LINE) {
      line.write('\n');
      handOn();
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      write(bytes[i]);
    }
  }

  /** Hands on a last line without an end. */
  @Override
  public void close() throws IOException {
    if (line.size() > 0) {
      line.write('\n');
      handOn();
    }
  }

  private void handOn() throws IOException {
    byte[] whole = line.toByteArray();
    line.reset();
    synchronized (target) {
      target.write(whole);
      target.flush();
    }
  }
}
