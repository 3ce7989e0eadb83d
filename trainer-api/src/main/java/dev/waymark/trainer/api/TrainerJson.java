package dev.waymark.trainer.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.util.Map;

/**
 * The values of this package as JSON. As strict as an API server about types: {@code "2"} is not a
 * number, {@code true} is not a text, {@code many} is not a quantity. Safe for every thread.
 */
public final class TrainerJson {

  private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};
  private static final ObjectMapper MAPPER = strict().build();
  private static final ObjectMapper KNOWN_FIELDS_ONLY =
      strict()
          .annotationIntrospector(new WithoutAnyGetter())
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .build();

  /**
   * A value as maps, lists, text, numbers and booleans. A fabric8 value loses its empty lists and
   * maps on the way.
   */
  public static Map<String, Object> toMap(Object value) {
    return MAPPER.convertValue(value, MAP);
  }

  /**
   * The opposite of {@link #toMap}.
   *
   * @throws IllegalArgumentException when a declared field has another JSON type; its cause, a
   *     {@code JsonMappingException}, knows the path
   */
  public static <T> T fromMap(Map<String, Object> map, Class<T> type) {
    return MAPPER.convertValue(map, type);
  }

  /**
   * JSON that was read, whatever it is, as a value of a type.
   *
   * @throws IllegalArgumentException as {@link #fromMap} does
   */
  public static <T> T fromTree(JsonNode json, Class<T> type) {
    return read(json.traverse(MAPPER), type);
  }

  /**
   * The same of JSON that was read in part.
   *
   * @throws IllegalArgumentException as {@link #fromMap} does
   */
  static <T> T fromTokens(TokenBuffer json, Class<T> type) {
    return read(json.asParser(MAPPER), type);
  }

  private static <T> T read(JsonParser json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (IOException e) {
      // As convertValue does.
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** A value as JSON text. */
  public static String write(Object value) {
    return write(MAPPER.writer(), value);
  }

  /** A value as JSON text for people: a line a field. */
  public static String writeIndented(Object value) {
    return write(MAPPER.writerWithDefaultPrettyPrinter(), value);
  }

  private static String write(ObjectWriter writer, Object value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a value of the Trainer API", e);
    }
  }

  /** Like {@link #toMap}, without the fields that its types don't declare. */
  static Map<String, Object> toMapOfKnownFields(Object value) {
    return KNOWN_FIELDS_ONLY.convertValue(value, MAP);
  }

  private static JsonMapper.Builder strict() {
    return JsonMapper.builder()
        .addModule(new JavaTimeModule())
        .addMixIn(Quantity.class, ReadAsKubernetesDoes.class)
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .withCoercionConfig(
            LogicalType.Textual,
            text ->
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  /** Of quantities; fabric8's annotation of the class would win over a module. */
  @JsonDeserialize(using = QuantityReader.class)
  private abstract static class ReadAsKubernetesDoes {}

  private static final class WithoutAnyGetter extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnyGetter(Annotated member) {
      return false;
    }
  }

  private TrainerJson() {}
}
