package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * An object of the Trainer API. Its spec is an immutable value; the object around it can be
 * changed, as Kubernetes clients expect. Not for use by several threads while it changes.
 *
 * @param <S> type of the spec
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
// The kind is the class; reading it again would file it under the unknown fields.
@JsonIgnoreProperties(value = "kind", allowGetters = true)
// Undoes the deserializer that HasMetadata inherits, which looks classes up by kind.
@JsonDeserialize(using = JsonDeserializer.None.class)
public abstract sealed class TrainerResource<S> implements HasMetadata
    permits TrainJob, RuntimeResource {

  private String apiVersion = HasMetadata.getApiVersion(getClass());
  private ObjectMeta metadata = new ObjectMeta();
  private S spec;
  private final Map<String, Object> additionalProperties = new LinkedHashMap<>();

  /** Name of the object, or null when it has none yet. */
  public final String name() {
    return metadata.getName();
  }

  /** Kind and name, as people read them: {@code TrainJob demo}. */
  public final String title() {
    return getKind() + " " + name();
  }

  @Override
  public final String getApiVersion() {
    return apiVersion;
  }

  @Override
  public final void setApiVersion(String apiVersion) {
    this.apiVersion = apiVersion;
  }

  @Override
  public final ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public final void setMetadata(ObjectMeta metadata) {
    this.metadata = metadata == null ? new ObjectMeta() : metadata;
  }

  /** Null only in an object that an API server would refuse. */
  public final S getSpec() {
    return spec;
  }

  public final void setSpec(S spec) {
    this.spec = spec;
  }

  /** Fields beside the known ones, as they were read. */
  @JsonAnyGetter
  public final Map<String, Object> getAdditionalProperties() {
    return Collections.unmodifiableMap(additionalProperties);
  }

  @JsonAnySetter
  public final void setAdditionalProperty(String name, Object value) {
    additionalProperties.put(name, value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TrainerResource<?> that
        && getClass() == that.getClass()
        && Objects.equals(apiVersion, that.apiVersion)
        && Objects.equals(metadata, that.metadata)
        && Objects.equals(spec, that.spec)
        && additionalProperties.equals(that.additionalProperties);
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), apiVersion, metadata, spec, additionalProperties);
  }

  @Override
  public String toString() {
    return title();
  }
}
