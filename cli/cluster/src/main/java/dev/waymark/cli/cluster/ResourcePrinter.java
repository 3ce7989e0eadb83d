package dev.waymark.cli.cluster;

import dev.waymark.trainer.api.TrainerJson;
import dev.waymark.trainer.api.TrainerResource;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** Prints objects of the Trainer API in the formats for programs, as kubectl does. */
final class ResourcePrinter {

  /**
   * Text that SnakeYAML writes without quotes, and kubectl's YAML takes for a number, a time or a
   * truth. Some of what it matches needs none, which does no harm.
   */
  private static final Pattern NO_TEXT_TO_KUBECTL =
      Pattern.compile("[yYnN]|[-+]?\\.?[0-9][-+.:_0-9a-fA-FxXoOtTzZ ]*");

  private final PrintWriter out;
  private final OutputFormat format;
  private boolean hasPrinted;

  /**
   * Prints in a format.
   *
   * @param format any but {@link OutputFormat#TABLE}
   */
  ResourcePrinter(PrintWriter out, OutputFormat format) {
    this.out = out;
    this.format = format;
  }

  /** One object. */
  void print(TrainerResource<?, ?> resource) {
    if (format == OutputFormat.NAME) {
      out.println(name(resource));
    } else {
      printText(TrainerJson.toMap(resource));
    }
  }

  /** A list of objects, however many. */
  void print(List<? extends TrainerResource<?, ?>> resources) {
    if (format == OutputFormat.NAME) {
      resources.forEach(resource -> out.println(name(resource)));
      return;
    }
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("items", resources.stream().map(TrainerJson::toMap).toList());
    printText(list);
  }

  /**
   * Any value that consists of maps, lists and scalars. The second one begins another document, so
   * that what this printer has printed can be read again as a whole.
   */
  void printText(Map<String, Object> value) {
    if (hasPrinted && format == OutputFormat.YAML) {
      out.println("---");
    }
    hasPrinted = true;
    out.println(
        format == OutputFormat.JSON
            ? TrainerJson.writeIndented(value)
            : yaml().dump(value).stripTrailing());
  }

  private static String name(TrainerResource<?, ?> resource) {
    String kind = resource.getKind().toLowerCase(Locale.ROOT);
    return kind + ".trainer.kubeflow.org/" + resource.name();
  }

  private static Yaml yaml() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    return new Yaml(new QuotingRepresenter(options), options);
  }

  private static final class QuotingRepresenter extends Representer {

    QuotingRepresenter(DumperOptions options) {
      super(options);
    }

    @Override
    protected Node representScalar(Tag tag, String value, DumperOptions.ScalarStyle style) {
      boolean isAmbiguous = tag == Tag.STR && NO_TEXT_TO_KUBECTL.matcher(value).matches();
      return super.representScalar(
          tag, value, isAmbiguous ? DumperOptions.ScalarStyle.SINGLE_QUOTED : style);
    }
  }
}
