package dev.waymark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.waymark.testbed.NeedsTestbed;
import io.fabric8.certmanager.api.model.v1.Certificate;
import io.fabric8.certmanager.api.model.v1.Issuer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the chart makes for cert-manager and the Prometheus operator, whose types no API server of
 * the tests knows: read as the types of their Go sources, from which the classes were made.
 */
@NeedsTestbed
class OperatorObjectsIT {

  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Map.of(
          "Certificate", Certificate.class,
          "Issuer", Issuer.class,
          "ServiceMonitor", ServiceMonitor.class,
          "PrometheusRule", PrometheusRule.class);

  /** Takes no field that the types don't have, and no number where a text is asked for. */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .annotationIntrospector(new WithoutRoomForOthers())
          .build();

  @TempDir Path folder;

  @Test
  void theirTypesHaveAllFieldsThatTheyAreGiven() throws JsonProcessingException {
    Set<String> seen = new TreeSet<>();
    for (Path values : Helm.valuesFiles().toList()) {
      Manifest manifest = new Helm(folder).template("--values", values.toString());
      for (JsonNode object : manifest.objects()) {
        Class<? extends HasMetadata> type = TYPES.get(object.path("kind").asText());
        if (type != null) {
          HasMetadata read = STRICT.treeToValue(object, type);
          assertThat(read.getApiVersion()).isEqualTo(HasMetadata.getApiVersion(type));
          seen.add(read.getKind());
        }
      }
    }
    assertThat(seen).isEqualTo(TYPES.keySet());
  }

  @Test
  void oneFieldMoreIsNoticed() {
    for (String spec : List.of("{endpoint: []}", "{endpoints: [{bearerTokenFiles: x}]}")) {
      JsonNode monitor = Manifest.yaml("{kind: ServiceMonitor, spec: %s}".formatted(spec));

      assertThatThrownBy(() -> STRICT.treeToValue(monitor, ServiceMonitor.class))
          .isInstanceOf(UnrecognizedPropertyException.class);
    }
  }

  /** The classes keep unknown fields; an API server would drop them. */
  private static final class WithoutRoomForOthers extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated member) {
      return false;
    }
  }
}
