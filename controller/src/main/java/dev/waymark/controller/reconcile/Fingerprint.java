package dev.waymark.controller.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The data of a ConfigMap in few bytes, to tell whether it is still what was written. */
final class Fingerprint {

  private static final String KEY = "waymark.dev/fingerprint";

  /** Of some data. */
  static String of(Map<String, String> data) {
    if (data == null || data.isEmpty()) {
      return "";
    }
    MessageDigest digest = sha256();
    new TreeMap<>(data)
        .forEach(
            (key, value) -> {
              update(digest, key);
              update(digest, value);
            });
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void update(MessageDigest digest, String text) {
    byte[] bytes = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
    digest.update((byte) (bytes.length >>> 24));
    digest.update((byte) (bytes.length >>> 16));
    digest.update((byte) (bytes.length >>> 8));
    digest.update((byte) bytes.length);
    digest.update(bytes);
  }

  /** Of a ConfigMap, stripped or not. */
  static String of(ConfigMap configMap) {
    Map<String, String> data = configMap.getData();
    return data != null && data.containsKey(KEY) ? data.get(KEY) : of(data);
  }

  /** A ConfigMap with the fingerprint in the place of its data. Changes its argument. */
  static ConfigMap strip(ConfigMap configMap) {
    configMap.setData(Map.of(KEY, of(configMap)));
    configMap.setBinaryData(null);
    configMap.getMetadata().setAnnotations(null);
    return configMap;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private Fingerprint() {}
}
