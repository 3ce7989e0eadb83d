package dev.waymark.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class WeakIdentityMapTest {
  private final WeakIdentityMap<Object, String> map = new WeakIdentityMap<>();

  @Test
  void equalKeysAreTwo() {
    Object first = new String("key");
    Object second = new String("key");

    assertThat(map.computeIfAbsent(first, () -> "of the first")).isEqualTo("of the first");
    assertThat(map.computeIfAbsent(second, () -> "of the second")).isEqualTo("of the second");
    assertThat(map.computeIfAbsent(first, () -> "made again")).isEqualTo("of the first");
    assertThat(map.get(second)).isEqualTo("of the second");
    assertThat(map.get(new String("key"))).isNull();
  }

  @Test
  void aValueGoesWithItsKey() {
    WeakIdentityMap<Object, Object> values = new WeakIdentityMap<>();
    Object key = new Object();
    WeakReference<Object> value = new WeakReference<>(values.computeIfAbsent(key, Object::new));
    WeakReference<Object> reference = new WeakReference<>(key);
    key = null;

    await()
        .untilAsserted(
            () -> {
              System.gc();
              values.computeIfAbsent(this, Object::new);
              assertThat(reference.get()).isNull();
              assertThat(value.get()).isNull();
            });
  }
}
