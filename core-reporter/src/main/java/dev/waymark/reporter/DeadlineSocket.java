package dev.waymark.reporter;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A TCP socket that is read until a deadline, however slowly the bytes come.
 *
 * <p>{@link Socket#setSoTimeout} alone limits one read: a server that sends a byte now and then
 * holds its client for ever. Here each read waits only for what is left of the deadline. An
 * SSLSocket layered on top reads through {@link #getInputStream}, so the deadline holds for the TLS
 * handshake too (JDK 11 to 25).
 *
 * <p>Writes can't block: the send buffer is larger than any document.
 */
final class DeadlineSocket extends Socket {
  /** Twice the largest document, as Linux counts its own bookkeeping into the buffer. */
  private static final int SEND_BUFFER_BYTES = 128 * 1024;

  private volatile Deadline deadline;

  /** An unconnected socket. The endpoint is in the same cluster, so no SOCKS proxy is asked. */
  DeadlineSocket(Deadline deadline) throws IOException {
    super(Proxy.NO_PROXY);
    this.deadline = deadline;
    setSendBufferSize(SEND_BUFFER_BYTES);
    setTcpNoDelay(true);
  }

  /** Sets the deadline of the next exchange on this connection. */
  void setDeadline(Deadline deadline) {
    this.deadline = deadline;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return new FilterInputStream(super.getInputStream()) {
      @Override
      public int read() throws IOException {
        awaitOnlyWhatIsLeft();
        return super.read();
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        awaitOnlyWhatIsLeft();
        return super.read(buffer, offset, length);
      }
    };
  }

  private void awaitOnlyWhatIsLeft() throws IOException {
    int millis = deadline.remainingMillis();
    if (millis == 0) {
      throw new SocketTimeoutException("Read timed out");
    }
    setSoTimeout(millis);
  }
}
