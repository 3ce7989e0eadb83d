package dev.waymark.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An object beside the JobSet, which its pods mount. */
public sealed interface HelperObject {

  /** Name of the object, in the TrainJob's namespace. */
  String name();

  /**
   * A ConfigMap, kept as planned.
   *
   * @param name of the ConfigMap
   * @param data its texts by file name
   */
  record Texts(String name, Map<String, String> data) implements HelperObject {

    public Texts {
      data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }
  }

  /**
   * A Secret with a pair of ssh keys, made once: pods that run know each other by it.
   *
   * @param name of the Secret
   */
  record SshKeys(String name) implements HelperObject {}
}
