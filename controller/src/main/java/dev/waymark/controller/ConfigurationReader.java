package dev.waymark.controller;

import static dev.waymark.controller.ControllerConfiguration.DEFAULTS;

import dev.waymark.controller.ControllerConfiguration.AgentInjection;
import dev.waymark.controller.ControllerConfiguration.Certificates;
import dev.waymark.controller.ControllerConfiguration.Health;
import dev.waymark.controller.ControllerConfiguration.LeaderElection;
import dev.waymark.controller.ControllerConfiguration.Listen;
import dev.waymark.controller.ControllerConfiguration.Metrics;
import dev.waymark.controller.ControllerConfiguration.Rate;
import dev.waymark.controller.ControllerConfiguration.StatusServer;
import dev.waymark.controller.ControllerConfiguration.Tls;
import dev.waymark.status.tls.TrustlessTls;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a configuration file and checks all of it: a field that isn't known, or a value that can't
 * be, is refused with its line, and everything that is wrong is told at once. As in upstream's
 * file, what is left out has its default; unlike there, that holds inside {@code leaderElection}
 * too, and values that upstream would replace in silence (a TLS version that it doesn't know) are
 * refused.
 */
public final class ConfigurationReader {

  static final String API_VERSION = "config.trainer.kubeflow.org/v1alpha1";
  private static final String KIND = "Configuration";
  private static final int MAX_PORT = 65_535;
  private static final int MAX_WORKERS = 1_000;

  /** A file that can't be used; says everything that is wrong with it, a line each. */
  public static final class InvalidConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidConfigurationException(List<String> problems) {
      super(String.join("\n", problems));
    }
  }

  private final List<String> problems = new ArrayList<>();

  private ConfigurationReader() {}

  /**
   * Reads a file.
   *
   * @param source name of the file, for messages
   * @param text YAML, or JSON
   * @throws InvalidConfigurationException with all that is wrong
   */
  public static ControllerConfiguration read(String source, String text)
      throws InvalidConfigurationException {
    ConfigurationReader reader = new ConfigurationReader();
    ControllerConfiguration configuration = null;
    Optional<YamlFields> root = YamlFields.parse(source, text, reader.problems::add);
    if (root.isPresent()) {
      configuration = reader.configuration(root.get());
    }
    if (!reader.problems.isEmpty()) {
      throw new InvalidConfigurationException(reader.problems);
    }
    return configuration;
  }

  private ControllerConfiguration configuration(YamlFields root) {
    mustBe(root, "apiVersion", API_VERSION);
    mustBe(root, "kind", KIND);
    ControllerConfiguration configuration =
        new ControllerConfiguration(
            webhook(root.child("webhook")),
            root.has("leaderElection")
                ? leaderElection(root.child("leaderElection"))
                : Optional.empty(),
            metrics(root.child("metrics")),
            health(root.child("health")),
            workers(root.child("controller")),
            certificates(root.child("certManagement")),
            rate(root.child("clientConnection"), DEFAULTS.clientConnection(), true),
            statusServer(root.child("statusServer")),
            featureGates(root.child("featureGates")),
            tls(root.child("tls")),
            root.has("agentInjection")
                ? agentInjection(root.child("agentInjection"))
                : Optional.empty(),
            updatesTypes(root.child("crdManagement")));
    root.refuseOthers();
    return configuration;
  }

  private static void mustBe(YamlFields root, String field, String expected) {
    String value = root.text(field).orElse("");
    if (!value.equals(expected)) {
      root.problem(field, "must be " + expected + (value.isEmpty() ? "" : ", not " + value));
    }
  }

  private static Listen webhook(YamlFields fields) {
    Listen webhook =
        new Listen(
            fields.text("host").filter(host -> !host.isEmpty()).orElse(DEFAULTS.webhook().host()),
            port(fields, DEFAULTS.webhook().port()));
    fields.refuseOthers();
    return webhook;
  }

  private static int port(YamlFields fields, int byDefault) {
    return (int) fields.number("port", 1, MAX_PORT).orElse(byDefault);
  }

  private static Optional<LeaderElection> leaderElection(YamlFields fields) {
    boolean elect = fields.flag("leaderElect").orElse(true);
    // The only kind of lock that Kubernetes still has.
    fields
        .text("resourceLock")
        .filter(lock -> !lock.isEmpty() && !lock.equals("leases"))
        .ifPresent(lock -> fields.problem("resourceLock", "must be leases, not " + lock));
    LeaderElection election =
        new LeaderElection(
            fields.text("resourceName").filter(n -> !n.isEmpty()).orElse("trainer.kubeflow.org"),
            fields.text("resourceNamespace").orElse(""),
            fields.duration("leaseDuration").orElse(Duration.ofSeconds(15)),
            fields.duration("renewDeadline").orElse(Duration.ofSeconds(10)),
            fields.duration("retryPeriod").orElse(Duration.ofSeconds(2)));
    if (election.leaseDuration().compareTo(election.renewDeadline()) <= 0) {
      fields.problem("leaseDuration", "must be longer than renewDeadline");
    }
    if (election.renewDeadline().compareTo(election.retryPeriod()) <= 0) {
      fields.problem("renewDeadline", "must be longer than retryPeriod");
    }
    fields.refuseOthers();
    return elect ? Optional.of(election) : Optional.empty();
  }

  private static Metrics metrics(YamlFields fields) {
    YamlFields auth = fields.child("auth");
    Metrics metrics =
        new Metrics(
            address(fields, "bindAddress", DEFAULTS.metrics().listen()),
            fields.flag("secureServing").orElse(DEFAULTS.metrics().secure()),
            auth.flag("enabled").orElse(DEFAULTS.metrics().authenticated()));
    if (metrics.authenticated() && !metrics.secure()) {
      fields.problem(
          "auth", "needs secureServing: true, since tokens must not travel in the clear");
    }
    auth.refuseOthers();
    fields.refuseOthers();
    return metrics;
  }

  private static Health health(YamlFields fields) {
    Health health =
        new Health(
            address(fields, "healthProbeBindAddress", DEFAULTS.health().listen()),
            endpoint(fields, "readinessEndpointName", DEFAULTS.health().readiness()),
            endpoint(fields, "livenessEndpointName", DEFAULTS.health().liveness()));
    if (health.readiness().equals(health.liveness())) {
      fields.problem("livenessEndpointName", "must differ from readinessEndpointName");
    }
    fields.refuseOthers();
    return health;
  }

  private static String endpoint(YamlFields fields, String field, String byDefault) {
    String name = fields.text(field).map(given -> given.replaceFirst("^/", "")).orElse(byDefault);
    if (!name.matches("[A-Za-z0-9._~-]+")) {
      fields.problem(field, "must be one segment of a path, such as " + byDefault);
    }
    return name;
  }

  /** {@code host:port} as Go has it: no host is all of them; "0" or nothing: don't listen. */
  private static Optional<Listen> address(
      YamlFields fields, String field, Optional<Listen> byDefault) {
    Optional<String> given = fields.text(field);
    if (given.isEmpty()) {
      return byDefault;
    }
    String address = given.get();
    if (address.isEmpty() || address.equals("0")) {
      return Optional.empty();
    }
    int colon = address.lastIndexOf(':');
    String port = address.substring(colon + 1);
    if (colon < 0 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT) {
      fields.problem(
          field, "must be host:port, such as :8443, or \"0\" for none, not \"" + address + "\"");
      return Optional.empty();
    }
    String host = address.substring(0, colon).replaceAll("^\\[|]$", "");
    return Optional.of(new Listen(host.isEmpty() ? "0.0.0.0" : host, Integer.parseInt(port)));
  }

  private static Map<String, Integer> workers(YamlFields fields) {
    YamlFields kinds = fields.child("groupKindConcurrency");
    Map<String, Integer> workers = new LinkedHashMap<>();
    for (String kind : kinds.names()) {
      kinds.number(kind, 1, MAX_WORKERS).ifPresent(count -> workers.put(kind, (int) count));
    }
    fields.refuseOthers();
    return workers;
  }

  private static Certificates certificates(YamlFields fields) {
    Certificates defaults = DEFAULTS.certificates();
    Certificates certificates =
        new Certificates(
            fields.flag("enable").orElse(defaults.managed()),
            nonEmpty(fields, "webhookServiceName", defaults.serviceName()),
            nonEmpty(fields, "webhookSecretName", defaults.secretName()));
    fields.refuseOthers();
    return certificates;
  }

  private static String nonEmpty(YamlFields fields, String field, String byDefault) {
    return fields.text(field).filter(text -> !text.isEmpty()).orElse(byDefault);
  }

  private static Rate rate(YamlFields fields, Rate byDefault, boolean nothingElse) {
    double qps = fields.decimal("qps", 0).orElse(byDefault.qps());
    int burst = (int) fields.number("burst", 0, Integer.MAX_VALUE).orElse(byDefault.burst());
    if (qps > 0 && burst == 0) {
      fields.problem("burst", "must be at least 1 where qps sets a limit; qps: 0 sets none");
    }
    if (nothingElse) {
      fields.refuseOthers();
    }
    return new Rate(qps, burst);
  }

  private static StatusServer statusServer(YamlFields fields) {
    StatusServer defaults = DEFAULTS.statusServer();
    StatusServer server =
        new StatusServer(
            port(fields, defaults.port()),
            rate(fields, defaults.rate(), false),
            fields.flag("requirePodBoundTokens").orElse(defaults.requirePodBoundTokens()),
            fields.duration("minWriteInterval").orElse(defaults.minWriteInterval()));
    fields.refuseOthers();
    return server;
  }

  private static FeatureGates featureGates(YamlFields fields) {
    Map<String, Boolean> set = new LinkedHashMap<>();
    for (String gate : fields.names()) {
      Optional<Boolean> value = fields.flag(gate);
      if (!FeatureGates.NAMES.contains(gate)) {
        fields.problem(gate, FeatureGates.unknown(gate));
      }
      value.ifPresent(given -> set.put(gate, given));
    }
    return new FeatureGates(set);
  }

  private static Tls tls(YamlFields fields) {
    // The JDK has had 1.0 and 1.1 switched off since 16.0.1, so they come to the same as 1.2.
    Map<String, String> versions =
        Map.of("1.0", "TLSv1.2", "1.1", "TLSv1.2", "1.2", "TLSv1.2", "1.3", "TLSv1.3");
    String version = fields.text("minVersion").orElse("1.2");
    if (!versions.containsKey(version)) {
      fields.problem("minVersion", "must be \"1.2\" or \"1.3\", not \"" + version + "\"");
    }
    List<String> suites = fields.texts("cipherSuites");
    // To ask the JDK takes a twentieth of a start.
    Set<String> known = suites.isEmpty() ? Set.of() : TrustlessTls.cipherSuites();
    for (String suite : suites) {
      if (!known.contains(suite)) {
        fields.problem("cipherSuites", suite + " is not a cipher suite of this JDK");
      }
    }
    for (String protocol : fields.texts("nextProtos")) {
      if (!protocol.equals("http/1.1")) {
        fields.problem("nextProtos", "must be http/1.1, the only protocol served, not " + protocol);
      }
    }
    fields.refuseOthers();
    return new Tls(versions.getOrDefault(version, "TLSv1.2"), suites);
  }

  private static boolean updatesTypes(YamlFields fields) {
    boolean enabled = fields.flag("enable").orElse(DEFAULTS.updatesTypes());
    fields.refuseOthers();
    return enabled;
  }

  private static Optional<AgentInjection> agentInjection(YamlFields fields) {
    String image = fields.text("image").orElse("");
    if (image.isBlank()) {
      fields.problem("image", "is missing: it is the image that holds the agent");
    }
    boolean imageVolume = fields.flag("imageVolume").orElse(false);
    ResourceRequirements resources = null;
    if (fields.has("resources")) {
      try {
        resources = TrainerJson.fromMap(fields.map("resources"), ResourceRequirements.class);
      } catch (IllegalArgumentException e) {
        fields.problem("resources", "must be the resources of a container: " + e.getMessage());
      }
    }
    fields.refuseOthers();
    return Optional.of(new AgentInjection(image, imageVolume, resources));
  }
}
