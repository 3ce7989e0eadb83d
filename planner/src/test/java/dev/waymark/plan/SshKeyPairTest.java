package dev.waymark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.OpenSSHPublicKeyUtil;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.junit.jupiter.api.Test;

class SshKeyPairTest {

  @Test
  void isAPairOnP521() throws Exception {
    SshKeyPair keys = SshKeyPair.generate(new SecureRandom());

    PemObject pem = new PemReader(new StringReader(keys.privateKey())).readPemObject();
    assertThat(pem.getType()).isEqualTo("EC PRIVATE KEY");
    ECPrivateKey sec1 = ECPrivateKey.getInstance(pem.getContent());
    ECPrivateKeyParameters secret =
        (ECPrivateKeyParameters)
            PrivateKeyFactory.createKey(
                new PrivateKeyInfo(
                    new AlgorithmIdentifier(
                        X9ObjectIdentifiers.id_ecPublicKey, sec1.getParametersObject()),
                    sec1));
    String[] line = keys.publicKey().split(" ");
    assertThat(line).hasSize(2);
    assertThat(line[0]).isEqualTo("ecdsa-sha2-nistp521");
    assertThat(line[1]).endsWith("\n");
    ECPublicKeyParameters known =
        (ECPublicKeyParameters)
            OpenSSHPublicKeyUtil.parsePublicKey(Base64.getDecoder().decode(line[1].strip()));
    assertThat(secret.getParameters().getG().multiply(secret.getD()).normalize())
        .isEqualTo(known.getQ());
  }

  @Test
  void takesAllItsChanceFromOutside() {
    assertThat(SshKeyPair.generate(new Countdown()))
        .isEqualTo(SshKeyPair.generate(new Countdown()));
    assertThat(SshKeyPair.generate(new SecureRandom()))
        .isNotEqualTo(SshKeyPair.generate(new SecureRandom()));
  }

  @Test
  void becomesAnImmutableSecretAndIsNotPrinted() {
    SshKeyPair keys = SshKeyPair.generate(new SecureRandom());
    RuntimePlan plan =
        Planner.plan(
            Yaml.trainJob(""),
            Yaml.runtimeSpec(
                "mlPolicy: {mpi: {}}\ntemplate: {spec: {replicatedJobs: [{name: node, template:"
                    + " {spec: {template: {spec: {containers: [{name: node}]}}}}}]}}"));

    SshSecret planned = Renderer.render(plan, Yaml.trainJob("")).sshSecrets().get(0);
    Secret secret = planned.with(keys);

    assertThat(planned.name()).isEqualTo("demo-mpi-ssh-auth");
    assertThat(secret.getMetadata().getName()).isEqualTo("demo-mpi-ssh-auth");
    assertThat(secret.getType()).isEqualTo("kubernetes.io/ssh-auth");
    assertThat(secret.getImmutable()).isTrue();
    assertThat(decoded(secret, "ssh-privatekey")).isEqualTo(keys.privateKey());
    assertThat(decoded(secret, "ssh-publickey")).isEqualTo(keys.publicKey());
    assertThat(keys.toString()).doesNotContain("PRIVATE").contains("ecdsa-sha2-nistp521 ");
  }

  private static String decoded(Secret secret, String key) {
    byte[] text = Base64.getDecoder().decode(secret.getData().get(key));
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Chance that repeats itself. */
  private static final class Countdown extends SecureRandom {

    private static final long serialVersionUID = 1L;

    private byte next;

    @Override
    public void nextBytes(byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = next--;
      }
    }
  }
}
