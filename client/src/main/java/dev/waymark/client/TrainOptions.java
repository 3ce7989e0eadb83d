package dev.waymark.client;

import dev.waymark.trainer.api.RuntimePatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What else a TrainJob can say.
 *
 * @param name or null for a random one
 * @param labels of the TrainJob
 * @param annotations of the TrainJob
 * @param activeDeadlineSeconds after which it fails, at least 1; or null
 * @param suspend whether it waits to be resumed
 * @param managedBy whose controller takes it, or null for the cluster's usual one
 * @param runtimePatches changes to the runtime's template, each of another manager
 */
public record TrainOptions(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    Long activeDeadlineSeconds,
    boolean suspend,
    String managedBy,
    List<RuntimePatch> runtimePatches) {

  public TrainOptions {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
    runtimePatches = List.copyOf(runtimePatches);
  }

  /** Nothing else. */
  public static TrainOptions none() {
    return builder().build();
  }

  /** A TrainJob with a name, and nothing else. */
  public static TrainOptions named(String name) {
    return builder().name(name).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects what is said. Not for use by several threads. */
  public static final class Builder {
    private String name;
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private Long activeDeadlineSeconds;
    private boolean suspend;
    private String managedBy;
    private final List<RuntimePatch> runtimePatches = new ArrayList<>();

    private Builder() {}

    public Builder name(String name) {
      this.name = name;
      return this;
    }

    public Builder label(String name, String value) {
      labels.put(name, value);
      return this;
    }

    public Builder annotation(String name, String value) {
      annotations.put(name, value);
      return this;
    }

    public Builder activeDeadlineSeconds(long seconds) {
      this.activeDeadlineSeconds = seconds;
      return this;
    }

    public Builder suspend(boolean suspend) {
      this.suspend = suspend;
      return this;
    }

    public Builder managedBy(String managedBy) {
      this.managedBy = managedBy;
      return this;
    }

    public Builder runtimePatch(RuntimePatch patch) {
      runtimePatches.add(patch);
      return this;
    }

    public TrainOptions build() {
      return new TrainOptions(
          name, labels, annotations, activeDeadlineSeconds, suspend, managedBy, runtimePatches);
    }
  }
}
