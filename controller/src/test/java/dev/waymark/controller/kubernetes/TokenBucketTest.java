package dev.waymark.controller.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

  private final AtomicLong now = new AtomicLong(-5_000);

  @Test
  void letsABurstThroughAndSpacesOutTheRest() {
    TokenBucket bucket = new TokenBucket(10, 3, now::get);

    assertThat(waits(bucket, 5)).containsExactly(0L, 0L, 0L, 100L, 200L);
  }

  @Test
  void fillsUpWithTimeButNotBeyondTheBurst() {
    TokenBucket bucket = new TokenBucket(10, 3, now::get);
    waits(bucket, 3);
    now.addAndGet(Duration.ofMillis(200).toNanos());
    assertThat(waits(bucket, 3)).containsExactly(0L, 0L, 100L);

    now.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(waits(bucket, 4)).containsExactly(0L, 0L, 0L, 100L);
  }

  @Test
  void givesATokenOnlyIfOneIsThere() {
    TokenBucket bucket = new TokenBucket(10, 1, now::get);

    assertThat(bucket.tryTake()).isTrue();
    assertThat(bucket.tryTake()).isFalse();
    assertThat(bucket.tryTake()).isFalse();
    now.addAndGet(Duration.ofMillis(100).toNanos());
    assertThat(bucket.tryTake()).isTrue();
  }

  @Test
  void hasNoLimitWithoutARate() {
    TokenBucket bucket = new TokenBucket(0, 0, now::get);

    assertThat(waits(bucket, 1000)).containsOnly(0L);
    assertThat(bucket.tryTake()).isTrue();
  }

  @Test
  void completesWhenTheTokenMayBeUsed() {
    TokenBucket bucket = new TokenBucket(20, 1);
    long start = System.nanoTime();

    bucket.take().join();
    bucket.take().join();

    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(45), Duration.ofSeconds(5));
  }

  private static Long[] waits(TokenBucket bucket, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> bucket.reserve().toMillis())
        .toArray(Long[]::new);
  }
}
