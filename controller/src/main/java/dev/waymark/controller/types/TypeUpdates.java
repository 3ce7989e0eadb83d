package dev.waymark.controller.types;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waymark.controller.Component;
import dev.waymark.controller.kubernetes.ApiServer;
import dev.waymark.controller.kubernetes.ApiServerException;
import dev.waymark.controller.kubernetes.ResourcePath;
import dev.waymark.trainer.api.CustomResourceDefinitions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the definitions of TrainJobs and runtimes up to date when the controller starts, because
 * Helm makes definitions and never changes one. Applied on the server's side, under their own names
 * and no others; what is up to date already, or was brought by a later version of the controller,
 * stays untouched. The controller has no right to create one, so what isn't there stays away.
 *
 * <p>A definition that can't be changed stays as it is and is told in the log: it serves TrainJobs
 * as before.
 */
public final class TypeUpdates implements Component {

  private static final Logger log = LoggerFactory.getLogger(TypeUpdates.class);

  /**
   * Helm's own. Helm 4 applies a chart's definitions when it installs, and doesn't install where
   * anybody else holds them with another content, as an earlier version of the controller would.
   */
  private static final String FIELD_MANAGER = "helm";

  /** Replicas that start together may write the same. */
  private static final int TRIES = 5;

  private final ApiServer apiServer;

  public TypeUpdates(ApiServer apiServer) {
    this.apiServer = apiServer;
  }

  @Override
  public String name() {
    return "type-updates";
  }

  /** Comes back when all are done, each within the time of a request. */
  @Override
  public void start() {
    List<CompletableFuture<Void>> updates =
        CustomResourceDefinitions.names().stream().map(this::update).toList();
    updates.forEach(CompletableFuture::join);
  }

  private CompletableFuture<Void> update(String name) {
    ResourcePath path =
        ResourcePath.of("apiextensions.k8s.io/v1", "customresourcedefinitions", null, name);
    return update(path, TRIES)
        .exceptionally(
            failure -> {
              log.warn(
                  "The definition {} stays as it is, it can't be brought up to date: {}",
                  name,
                  ApiServer.cause(failure).getMessage());
              return null;
            });
  }

  private CompletableFuture<Void> update(ResourcePath path, int tries) {
    return apiServer
        .metadata(path)
        .thenCompose(
            stored -> {
              if (revision(stored) <= CustomResourceDefinitions.REVISION) {
                return apply(path, stored.path("resourceVersion").asText(), tries);
              }
              log.info(
                  "The definition {} stays as it is, it is of a later version of the controller",
                  path.name());
              return CompletableFuture.completedFuture(null);
            });
  }

  /** Over what was looked at, and over nothing that came since. */
  private CompletableFuture<Void> apply(ResourcePath path, String version, int tries) {
    // As text: to read so much YAML would cost a good part of the start.
    String yaml =
        CustomResourceDefinitions.yaml(path.name())
            .replaceFirst("(?m)^metadata:$", "metadata:\n  resourceVersion: '" + version + "'");
    return apiServer
        .applyYaml(path, FIELD_MANAGER, yaml)
        .handle(
            (now, failure) -> {
              if (failure == null) {
                return CompletableFuture.<Void>completedFuture(null);
              }
              boolean again =
                  tries > 1
                      && ApiServer.cause(failure) instanceof ApiServerException refused
                      && refused.isConflict();
              return again
                  ? update(path, tries - 1)
                  : CompletableFuture.<Void>failedFuture(failure);
            })
        .thenCompose(outcome -> outcome);
  }

  /** 0 for one of a version that counted none, or of another project. */
  private static int revision(JsonNode metadata) {
    String annotation =
        metadata.path("annotations").path(CustomResourceDefinitions.REVISION_ANNOTATION).asText();
    return annotation.matches("\\d{1,9}") ? Integer.parseInt(annotation) : 0;
  }

  @Override
  public Optional<String> notReady() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Nothing goes on after the start.
  }
}
