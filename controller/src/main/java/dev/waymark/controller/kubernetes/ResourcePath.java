package dev.waymark.controller.kubernetes;

import static java.util.Objects.requireNonNull;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where an object lives on the API server.
 *
 * @param apiVersion group and version, or the version alone for the core group
 * @param plural of the kind, as in its URL
 * @param namespace null for one of the whole cluster
 * @param name null for all of them (to create one)
 * @param subresource such as {@code status}, or null
 */
public record ResourcePath(
    String apiVersion, String plural, String namespace, String name, String subresource) {

  public ResourcePath {
    requireNonNull(apiVersion, "apiVersion");
    requireNonNull(plural, "plural");
  }

  /** An object in a namespace. */
  public static ResourcePath of(String apiVersion, String plural, String namespace, String name) {
    return new ResourcePath(apiVersion, plural, namespace, name, null);
  }

  /** Where objects like it are created. */
  public ResourcePath collection() {
    return new ResourcePath(apiVersion, plural, namespace, null, null);
  }

  /** The status of the same object. */
  public ResourcePath status() {
    return new ResourcePath(apiVersion, plural, namespace, name, "status");
  }

  /**
   * From the first slash on, without a query. Names of Kubernetes need no escapes; what is none
   * gets them, so that it can't become another path or a query.
   */
  public String path() {
    StringBuilder path = new StringBuilder(128);
    path.append(apiVersion.indexOf('/') < 0 ? "/api/" : "/apis/").append(apiVersion);
    if (namespace != null) {
      path.append("/namespaces/").append(escaped(namespace));
    }
    path.append('/').append(plural);
    if (name != null) {
      path.append('/').append(escaped(name));
    }
    if (subresource != null) {
      path.append('/').append(subresource);
    }
    return path.toString();
  }

  private static String escaped(String segment) {
    if (segment.equals(".") || segment.equals("..")) {
      return segment.replace(".", "%2E");
    }
    // It is made for forms, where a blank is a plus; a plus itself is escaped.
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** For messages: {@code jobsets team-a/demo}. */
  @Override
  public String toString() {
    return plural
        + (subresource == null ? "" : "/" + subresource)
        + " "
        + (namespace == null ? "" : namespace + "/")
        + (name == null ? "" : name);
  }
}
