package dev.waymark.client;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a TrainJob runs, where it differs from its runtime. Nothing needs to be said: null, and an
 * empty map, leave what the runtime has.
 *
 * @param image or null
 * @param program or null
 * @param numNodes at least 1, or null
 * @param resourcesPerNode amounts by name, requests and limits alike: {@code gpu}, {@code npu},
 *     {@code mig-1g.5gb}, {@code cpu}, {@code memory}, {@code storage}, or the full name of a
 *     resource
 * @param env variables, in their order
 * @param numProcPerNode processes in each node, at least 1, or null
 */
public record CustomTrainer(
    String image,
    Program program,
    Integer numNodes,
    Map<String, String> resourcesPerNode,
    List<EnvVar> env,
    Integer numProcPerNode) {

  public CustomTrainer {
    resourcesPerNode = Collections.unmodifiableMap(new LinkedHashMap<>(resourcesPerNode));
    env = List.copyOf(env);
  }

  /** One that changes nothing so far. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects what is said. Not for use by several threads. */
  public static final class Builder {
    private String image;
    private Program program;
    private Integer numNodes;
    private final Map<String, String> resourcesPerNode = new LinkedHashMap<>();
    private final List<EnvVar> env = new ArrayList<>();
    private Integer numProcPerNode;

    private Builder() {}

    public Builder image(String image) {
      this.image = image;
      return this;
    }

    public Builder program(Program program) {
      this.program = program;
      return this;
    }

    /** A command of the image, word by word. */
    public Builder command(String... command) {
      return program(new Program.Command(List.of(command)));
    }

    /** A jar of the image, by its path there, and the program's arguments. */
    public Builder jar(String path, String... args) {
      return program(new Program.Jar(path, List.of(), List.of(args)));
    }

    public Builder numNodes(int numNodes) {
      this.numNodes = numNodes;
      return this;
    }

    /** An amount of a resource for each node. */
    public Builder resource(String name, String amount) {
      resourcesPerNode.put(name, amount);
      return this;
    }

    /** A whole number of a resource for each node. */
    public Builder resource(String name, int amount) {
      return resource(name, Integer.toString(amount));
    }

    public Builder env(String name, String value) {
      return env(new EnvVarBuilder().withName(name).withValue(value).build());
    }

    /** A variable whose value comes from a Secret of the TrainJob's namespace. */
    public Builder envFromSecret(String name, String secret, String key) {
      return env(
          new EnvVarBuilder()
              .withName(name)
              .withNewValueFrom()
              .withNewSecretKeyRef()
              .withName(secret)
              .withKey(key)
              .endSecretKeyRef()
              .endValueFrom()
              .build());
    }

    /** A variable of any kind. */
    public Builder env(EnvVar variable) {
      env.add(variable);
      return this;
    }

    public Builder numProcPerNode(int numProcPerNode) {
      this.numProcPerNode = numProcPerNode;
      return this;
    }

    public CustomTrainer build() {
      return new CustomTrainer(image, program, numNodes, resourcesPerNode, env, numProcPerNode);
    }
  }
}
