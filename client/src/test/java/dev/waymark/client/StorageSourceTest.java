package dev.waymark.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.trainer.api.TrainerJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageSourceTest {

  @Test
  void huggingFace() {
    assertThat(json(StorageSource.HuggingFace.dataset("hf://org/iris")))
        .isEqualTo("{\"storageUri\":\"hf://org/iris\"}");
    assertThat(json(new StorageSource.HuggingFace("hf://o/m", List.of("*.bin", "*.pt"), "hub")))
        .isEqualTo(
            "{\"storageUri\":\"hf://o/m\",\"env\":[{\"name\":\"IGNORE_PATTERNS\","
                + "\"value\":\"*.bin,*.pt\"}],\"secretRef\":{\"name\":\"hub\"}}");
    assertThat(json(StorageSource.HuggingFace.model("hf://o/m")))
        .contains("*.msgpack,*.h5,*.bin,*.pt,*.pth");
  }

  @Test
  void s3() {
    assertThat(
            json(
                new StorageSource.S3(
                    "s3://b/p", List.of(), "https://s3.example", "eu-1", null, "keys")))
        .isEqualTo(
            "{\"storageUri\":\"s3://b/p\",\"env\":[{\"name\":\"ENDPOINT\","
                + "\"value\":\"https://s3.example\"},{\"name\":\"REGION\",\"value\":\"eu-1\"}],"
                + "\"secretRef\":{\"name\":\"keys\"}}");
  }

  /** Its head is one more node. */
  @Test
  void dataCache() {
    assertThat(json(cache("cache://s/t", 2)))
        .isEqualTo(
            "{\"storageUri\":\"cache://s/t\",\"env\":[{\"name\":\"CLUSTER_SIZE\",\"value\":\"3\"},"
                + "{\"name\":\"METADATA_LOC\",\"value\":\"s3://m\"},"
                + "{\"name\":\"WORKER_MEM\",\"value\":\"4Gi\"}]}");
  }

  @ParameterizedTest(name = "{0} data nodes in {1}: {2}")
  @CsvSource({
    "1, cache://s/t, at least 2",
    "2, cache://s, write cache://schema/table",
    "2, s3://s/t, write cache://schema/table",
    "2, cache://s/t/u, write cache://schema/table",
  })
  void refusesWrongCaches(int nodes, String uri, String why) {
    assertThat(cache(uri, nodes).problem("f"))
        .hasValueSatisfying(it -> assertThat(it.message()).contains(why));
  }

  @ParameterizedTest
  @CsvSource({"org/name", "s3://b/p", "hf://", "''"})
  void refusesOtherPlacesThanHuggingFaces(String uri) {
    assertThat(StorageSource.HuggingFace.dataset(uri).problem("spec.initializer.dataset"))
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .hasToString(
                        "spec.initializer.dataset.storageUri: \""
                            + uri
                            + "\": write hf://org/name"));
  }

  @Test
  void refusesOtherPlacesThanBuckets() {
    assertThat(new StorageSource.S3("gs://b", List.of(), null, null, null, null).problem("f"))
        .isPresent();
    assertThat(new StorageSource.S3("s3://b", List.of(), null, null, null, null).problem("f"))
        .isEmpty();
  }

  private static StorageSource cache(String uri, int nodes) {
    return new StorageSource.DataCache(uri, "s3://m", nodes, null, null, null, "4Gi", "");
  }

  private static String json(StorageSource source) {
    return TrainerJson.write(source.toInitializer());
  }
}
