package dev.waymark.controller.types;

import dev.waymark.controller.Component;
import dev.waymark.controller.kubernetes.ApiServer;
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
 * and no others; what is up to date already stays untouched. The controller has no right to create
 * one, so what isn't there stays away.
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
    // As text: to read so much YAML would cost a good part of the start.
    return apiServer
        .applyYaml(path, FIELD_MANAGER, CustomResourceDefinitions.yaml(name))
        .handle(
            (now, failure) -> {
              if (failure != null) {
                log.warn(
                    "The definition {} stays as it is, it can't be brought up to date: {}",
                    name,
                    ApiServer.cause(failure).getMessage());
              }
              return null;
            });
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
