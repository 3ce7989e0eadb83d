package dev.waymark.status;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/**
 * Names one TrainJob. It may hold any text, as a URL may; {@link #isPossible()} tells whether
 * Kubernetes could have a TrainJob of that name.
 *
 * @param namespace never null
 * @param name never null
 */
public record TrainJobKey(String namespace, String name) {

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
  private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final int MAX_LABEL = 63;
  private static final int MAX_SUBDOMAIN = 253;

  public TrainJobKey {
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  /**
   * Whether a TrainJob of that name can exist: the namespace is a DNS label, the name a DNS
   * subdomain (RFC 1123, lower case), as the API server demands of both. Only then is it safe as a
   * part of a path.
   */
  public boolean isPossible() {
    return namespace.length() <= MAX_LABEL
        && name.length() <= MAX_SUBDOMAIN
        && DNS_LABEL.matcher(namespace).matches()
        && DNS_SUBDOMAIN.matcher(name).matches();
  }

  /** Path of the TrainJob's status endpoint, from the leading slash on. */
  public String statusPath() {
    return "/apis/" + audience();
  }

  /**
   * The audience that a token must have to report for this TrainJob: Kubeflow Trainer's formula,
   * the status path behind {@code /apis/}.
   */
  public String audience() {
    return "trainer.kubeflow.org/v1alpha1/namespaces/"
        + namespace
        + "/trainjobs/"
        + name
        + "/status";
  }

  /** {@code namespace/name}. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
