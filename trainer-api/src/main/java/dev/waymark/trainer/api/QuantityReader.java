package dev.waymark.trainer.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;

/**
 * Reads quantities as Kubernetes does. fabric8's own reader (7.6.1) takes any text, and leaves it
 * to whoever counts with a quantity to find out that it is none.
 */
final class QuantityReader extends StdScalarDeserializer<Quantity> {

  private static final long serialVersionUID = 1L;

  QuantityReader() {
    super(Quantity.class);
  }

  @Override
  public Quantity deserialize(JsonParser json, DeserializationContext context) throws IOException {
    if (!json.currentToken().isScalarValue()) {
      return (Quantity) context.handleUnexpectedToken(Quantity.class, json);
    }
    String text = json.getText().strip();
    return QuantityText.parse(text).isPresent()
        ? Quantity.parse(text)
        : (Quantity) context.handleWeirdStringValue(Quantity.class, text, "not a quantity");
  }
}
