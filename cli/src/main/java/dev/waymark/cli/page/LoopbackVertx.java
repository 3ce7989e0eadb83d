package dev.waymark.cli.page;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;

/** A Vert.x for a few connections on one machine: few threads, no cache on the disk. */
public final class LoopbackVertx {

  private LoopbackVertx() {}

  /** To be closed. */
  public static Vertx create() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(2)
            .setInternalBlockingPoolSize(2)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }
}
