package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An object of a Kubernetes API. Its spec and status are immutable values; the object around them
 * can be changed, as Kubernetes clients expect. Not for use by several threads while it changes.
 *
 * <p>Reading never fails because of a spec or a status: a value of a wrong type, which an older or
 * laxer API server may hold, would end the informer that meets it, and with it every other object.
 * Such a spec or status stays among the additional properties, survives a round trip there, and
 * {@link #problems()} says what is wrong with it. Both are read strictly, whatever mapper reads the
 * object around them.
 *
 * @param <S> type of the spec
 * @param <T> type of the status, or Void
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"apiVersion", "kind", "metadata", "spec", "status"})
// The kind is the class; reading it again would file it under the unknown fields.
@JsonIgnoreProperties(value = "kind", allowGetters = true)
// Undoes the deserializer that HasMetadata inherits, which looks classes up by kind.
@JsonDeserialize(using = JsonDeserializer.None.class)
public abstract sealed class KubernetesObject<S, T> implements HasMetadata
    permits TrainerResource, JobSet {

  private static final String SPEC = "spec";
  private static final String STATUS = "status";

  private final Class<S> specType;
  private final Class<T> statusType;
  private String apiVersion = HasMetadata.getApiVersion(getClass());
  private ObjectMeta metadata = new ObjectMeta();
  private S spec;
  private T status;
  private final Map<String, Object> additionalProperties = new LinkedHashMap<>();

  KubernetesObject(Class<S> specType, Class<T> statusType) {
    this.specType = specType;
    this.statusType = statusType;
  }

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

  /** Null only in an object that an API server would refuse, and where it could not be read. */
  @JsonProperty(SPEC)
  public final S getSpec() {
    return spec;
  }

  @JsonIgnore
  public final void setSpec(S spec) {
    this.spec = spec;
    additionalProperties.remove(SPEC);
  }

  /** Null until a controller has seen the object, and where it could not be read. */
  @JsonProperty(STATUS)
  public final T getStatus() {
    return status;
  }

  @JsonIgnore
  public final void setStatus(T status) {
    this.status = status;
    additionalProperties.remove(STATUS);
  }

  /** Fields beside the known ones, as they were read; and a spec or status that could not be. */
  @JsonAnyGetter
  public final Map<String, Object> getAdditionalProperties() {
    return Collections.unmodifiableMap(additionalProperties);
  }

  @JsonAnySetter
  public final void setAdditionalProperty(String name, Object value) {
    additionalProperties.put(name, value);
  }

  /** What of the spec and the status could not be read; empty for an object that is sound. */
  public final List<FieldProblem> problems() {
    if (!additionalProperties.containsKey(SPEC) && !additionalProperties.containsKey(STATUS)) {
      return List.of();
    }
    List<FieldProblem> problems = new ArrayList<>();
    Map<String, Object> unread = TrainerJson.toMap(additionalProperties);
    if (unread.containsKey(SPEC)) {
      StrictBinding.bind(unread.get(SPEC), specType, SPEC, problems::add);
    }
    if (unread.containsKey(STATUS)) {
      StrictBinding.bind(unread.get(STATUS), statusType, STATUS, problems::add);
    }
    return List.copyOf(problems);
  }

  @JsonSetter(SPEC)
  private void readSpec(TokenBuffer json) {
    spec = read(SPEC, json, specType);
  }

  @JsonSetter(STATUS)
  private void readStatus(TokenBuffer json) {
    status = read(STATUS, json, statusType);
  }

  private <V> V read(String name, TokenBuffer json, Class<V> type) {
    if (json == null) {
      return null;
    }
    try {
      return TrainerJson.fromTokens(json, type);
    } catch (IllegalArgumentException e) {
      additionalProperties.put(name, TrainerJson.fromTokens(json, Object.class));
      return null;
    }
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof KubernetesObject<?, ?> that
        && getClass() == that.getClass()
        && Objects.equals(apiVersion, that.apiVersion)
        && Objects.equals(metadata, that.metadata)
        && Objects.equals(spec, that.spec)
        && Objects.equals(status, that.status)
        && additionalProperties.equals(that.additionalProperties);
  }

  @Override
  public final int hashCode() {
    return Objects.hash(getClass(), apiVersion, metadata, spec, status, additionalProperties);
  }

  @Override
  public String toString() {
    return title();
  }
}
