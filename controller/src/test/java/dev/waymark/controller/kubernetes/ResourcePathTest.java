package dev.waymark.controller.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcePathTest {

  private static final String GROUP = "/apis/trainer.kubeflow.org/v1alpha1/namespaces/";

  @Test
  void saysWhereAnObjectLives() {
    ResourcePath trainJob =
        ResourcePath.of("trainer.kubeflow.org/v1alpha1", "trainjobs", "team-a", "demo.v1");

    assertThat(trainJob.path()).isEqualTo(GROUP + "team-a/trainjobs/demo.v1");
    assertThat(trainJob.status().path()).isEqualTo(GROUP + "team-a/trainjobs/demo.v1/status");
    assertThat(trainJob.collection().path()).isEqualTo(GROUP + "team-a/trainjobs");
    assertThat(ResourcePath.of("v1", "namespaces", null, "team-a").path())
        .isEqualTo("/api/v1/namespaces/team-a");
  }

  /** Names that no object has, but a URL, a token or a reference may name. */
  @ParameterizedTest
  @CsvSource({
    "?watch=true, %3Fwatch%3Dtrue",
    "demo?a&b=c,  demo%3Fa%26b%3Dc",
    "a/b,         a%2Fb",
    "../secrets,  ..%2Fsecrets",
    ".,           %2E",
    "..,          %2E%2E",
    "a#b,         a%23b",
    "a%2Fb,       a%252Fb",
    "'a b+c',     a%20b%2Bc",
    "d\u00e9mo,   d%C3%A9mo"
  })
  void letsNoNameBecomeAnotherPathOrAQuery(String name, String segment) {
    String named = ResourcePath.of("trainer.kubeflow.org/v1alpha1", "trainjobs", "ns", name).path();
    String placed =
        ResourcePath.of("trainer.kubeflow.org/v1alpha1", "trainjobs", name, "demo").path();

    assertThat(named).isEqualTo(GROUP + "ns/trainjobs/" + segment);
    assertThat(placed).isEqualTo(GROUP + segment + "/trainjobs/demo");
    assertThat(URI.create(named).getPath()).isEqualTo(GROUP + "ns/trainjobs/" + name);
    assertThat(URI.create(named).getRawQuery()).isNull();
  }
}
