package dev.waymark.controller;

import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The way to a cluster with the rights of a service account, as a pod has them. */
public final class AccountKubeconfig {

  /**
   * Text of a kubeconfig, good for an hour.
   *
   * @param admin client in the account's namespace
   */
  public static String of(KubernetesClient admin, String account) {
    return of(admin, account, admin.getMasterUrl().toString(), authorities(admin));
  }

  /**
   * The same by another way.
   *
   * @param server address of the API server, or of what stands before it
   * @param authority who vouches for it, PEM in Base64
   */
  static String of(KubernetesClient admin, String account, String server, String authority) {
    String token =
        admin
            .serviceAccounts()
            .withName(account)
            .tokenRequest(
                new TokenRequestBuilder()
                    .withNewSpec()
                    .withExpirationSeconds(3600L)
                    .endSpec()
                    .build())
            .getStatus()
            .getToken();
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: it, cluster: {server: "%s", certificate-authority-data: %s}}]
    users: [{name: it, user: {token: %s}}]
    contexts: [{name: it, context: {cluster: it, user: it}}]
    current-context: it
    """
        .formatted(server, authority, token);
  }

  private static String authorities(KubernetesClient admin) {
    String data = admin.getConfiguration().getCaCertData();
    if (data != null) {
      return data;
    }
    try {
      byte[] file = Files.readAllBytes(Path.of(admin.getConfiguration().getCaCertFile()));
      return Base64.getEncoder().encodeToString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private AccountKubeconfig() {}
}
