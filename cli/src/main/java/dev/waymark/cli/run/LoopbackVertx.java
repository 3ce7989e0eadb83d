package dev.waymark.cli.run;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;

/** A Vert.x for a few connections on one machine: few threads, no cache on the disk. */
final class LoopbackVertx {

  private LoopbackVertx() {}

  static Vertx create() {
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
