package dev.waymark.plan;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a kubelet makes of {@code $(NAME)} in a container's variables, command and arguments.
 * Source: the API reference of {@code Container.command} and {@code EnvVar.value}.
 */
public final class VariableExpansion {

  /**
   * A text with its references replaced. {@code $$} is a plain {@code $}, so {@code $$(NAME)} stays
   * {@code $(NAME)}; a reference to an unknown variable stays as it is.
   */
  public static String expand(String text, Map<String, String> variables) {
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
      int close = c == '$' && next == '(' ? text.indexOf(')', at) : -1;
      if (close > 0) {
        String name = text.substring(at + 2, close);
        expanded.append(variables.getOrDefault(name, "$(" + name + ")"));
        at = close + 1;
      } else {
        expanded.append(c);
        at += c == '$' && next == '$' ? 2 : 1;
      }
    }
    return expanded.toString();
  }

  /** Each text expanded on its own; null is an empty list. */
  public static List<String> expandAll(List<String> texts, Map<String, String> variables) {
    List<String> expanded = new ArrayList<>();
    if (texts != null) {
      texts.forEach(text -> expanded.add(expand(text, variables)));
    }
    return expanded;
  }

  /**
   * A container's variables with their values, in order. A value sees only the variables before it;
   * the last of two with one name wins.
   *
   * @param sources the value behind a {@code valueFrom}, or null to leave the variable out
   */
  public static Map<String, String> environment(
      List<EnvVar> env, Function<EnvVarSource, String> sources) {
    Map<String, String> values = new LinkedHashMap<>();
    for (EnvVar variable : env) {
      String text = variable.getValue() == null ? "" : variable.getValue();
      String value =
          text.isEmpty() && variable.getValueFrom() != null
              ? sources.apply(variable.getValueFrom())
              : expand(text, values);
      if (value != null) {
        values.put(variable.getName(), value);
      }
    }
    return values;
  }

  private VariableExpansion() {}
}
