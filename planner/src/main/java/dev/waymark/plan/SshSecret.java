package dev.waymark.plan;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A Secret with ssh keys, before there are any: chance comes from whoever creates it. */
public final class SshSecret {

  private static final String TYPE = "kubernetes.io/ssh-auth";

  private final ObjectMeta metadata;

  SshSecret(ObjectMeta metadata) {
    this.metadata = metadata;
  }

  /** Name of the Secret. */
  public String name() {
    return metadata.getName();
  }

  /** The Secret with these keys; immutable, because pods that run know each other by them. */
  public Secret with(SshKeyPair keys) {
    return new SecretBuilder()
        .withMetadata(new ObjectMetaBuilder(metadata).build())
        .withType(TYPE)
        .withImmutable(true)
        .addToData(SshKeyPair.PRIVATE_KEY, base64(keys.privateKey()))
        .addToData(SshKeyPair.PUBLIC_KEY, base64(keys.publicKey()))
        .build();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
