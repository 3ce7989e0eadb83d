package dev.waymark.controller.chart;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import com.marcnuri.helm.UninstallCommand;
import com.marcnuri.helm.UpgradeCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Helm 3 as a command, with those of its flags that the tests use; helm-java carries them out. A
 * process of its own, since the Go runtime inside takes over signals of its JVM.
 */
public final class Helm3Program {

  private static final Set<String> SWITCHES =
      Set.of("strict", "reset-then-reuse-values", "ignore-not-found");

  /** Of the cluster that isn't there; helm-java's own default is older than the chart wants. */
  private static final String KUBERNETES = "1.36.0";

  private final List<String> words = new ArrayList<>();
  private final Set<String> switches = new HashSet<>();
  private final List<Path> valuesFiles = new ArrayList<>();
  private final Map<String, String> values = new LinkedHashMap<>();
  private String namespace;

  private Helm3Program(List<String> arguments) {
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String argument = rest.next();
      if (!argument.startsWith("--")) {
        words.add(argument);
      } else if (SWITCHES.contains(argument.substring(2))) {
        switches.add(argument.substring(2));
      } else {
        String[] flag = argument.substring(2).split("=", 2);
        take(flag[0], flag.length == 2 ? flag[1] : rest.next());
      }
    }
  }

  private void take(String flag, String value) {
    switch (flag) {
      case "namespace" -> namespace = value;
      case "values" -> valuesFiles.add(Path.of(value));
      case "set" -> {
        for (String assignment : value.split(",", -1)) {
          String[] pair = assignment.split("=", 2);
          values.put(pair[0], pair[1]);
        }
      }
      default -> throw new IllegalArgumentException("don't know the flag --" + flag);
    }
  }

  /** Does what helm would, prints what it would, and ends with 1 where it can't. */
  public static void main(String[] arguments) {
    try {
      System.out.print(new Helm3Program(Arrays.asList(arguments)).run());
    } catch (IllegalStateException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private String run() {
    return switch (words.get(0)) {
      case "lint" -> lint();
      case "template" -> template();
      case "install" -> install();
      case "upgrade" -> upgrade();
      case "uninstall" -> uninstall();
      default -> throw new IllegalArgumentException("don't know the command " + words.get(0));
    };
  }

  private String lint() {
    LintResult found = chart(1).lint().strict().call();
    if (found.isFailed()) {
      throw new IllegalStateException(String.join("\n", found.getMessages()));
    }
    return String.join("\n", found.getMessages());
  }

  private String template() {
    TemplateCommand command =
        chart(2)
            .template()
            .withName(words.get(1))
            .withNamespace(namespace)
            .withKubeVersion(KUBERNETES);
    valuesFiles.forEach(command::withValuesFile);
    values.forEach(command::set);
    return command.call();
  }

  private String install() {
    InstallCommand command =
        chart(2)
            .install()
            .withName(words.get(1))
            .withNamespace(namespace)
            .withKubeConfig(kubeconfig());
    valuesFiles.forEach(command::withValuesFile);
    values.forEach(command::set);
    return command.call().getOutput();
  }

  private String upgrade() {
    UpgradeCommand command =
        chart(2)
            .upgrade()
            .withName(words.get(1))
            .withNamespace(namespace)
            .withKubeConfig(kubeconfig());
    if (switches.contains("reset-then-reuse-values")) {
      command.resetThenReuseValues();
    }
    values.forEach(command::set);
    return command.call().getOutput();
  }

  private String uninstall() {
    UninstallCommand command =
        Helm.uninstall(words.get(1)).withNamespace(namespace).withKubeConfig(kubeconfig());
    if (switches.contains("ignore-not-found")) {
      command.ignoreNotFound();
    }
    return command.call();
  }

  private Helm chart(int word) {
    return new Helm(Path.of(words.get(word)));
  }

  private static Path kubeconfig() {
    return Path.of(System.getenv("KUBECONFIG"));
  }
}
