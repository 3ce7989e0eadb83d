package dev.waymark.trainer.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * What the training's framework needs. At most one of the frameworks is set; none means plain pods.
 *
 * @param numNodes pods of the trainer job; null and anything below 1 count as 1
 * @param torch torchrun's variables, or null
 * @param mpi a launcher with ssh, or null
 * @param jax JAX's coordinator, or null
 * @param xgboost Rabit's tracker, or null
 * @param flux a Flux MiniCluster, or null
 * @param additionalProperties fields beside the known ones, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MLPolicy(
    Integer numNodes,
    Torch torch,
    Mpi mpi,
    Jax jax,
    XGBoost xgboost,
    Flux flux,
    @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

  public MLPolicy {
    additionalProperties = Copies.ofUnknown(additionalProperties);
  }

  /**
   * The PET_* variables that {@code torchrun} reads.
   *
   * @param envInjection further containers that get them, or null
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Torch(
      EnvInjection envInjection,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Torch {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * Containers beside the trainer's own that get the framework's variables.
   *
   * @param targets by job name, at most 16; or null
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EnvInjection(
      List<Target> targets,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public EnvInjection {
      targets = Copies.of(targets);
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * Containers of one replicated job.
   *
   * @param jobName 1 to 253 characters
   * @param containerNames 1 to 8 containers or init containers, never {@code node}
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Target(
      String jobName,
      List<String> containerNames,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Target {
      containerNames = Copies.of(containerNames);
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * MPI over ssh.
   *
   * @param numProcPerNode at least 1; null counts as 1
   * @param mpiImplementation null counts as OpenMPI
   * @param sshAuthMountPath null counts as {@code /root/.ssh}
   * @param runLauncherAsNode whether the launcher trains too; null counts as false
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Mpi(
      Integer numProcPerNode,
      String mpiImplementation,
      String sshAuthMountPath,
      Boolean runLauncherAsNode,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Mpi {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * JAX's distributed runtime; nothing to set.
   *
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Jax(@JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Jax {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * Distributed XGBoost; nothing to set.
   *
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record XGBoost(@JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public XGBoost {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }

  /**
   * Flux framework.
   *
   * @param numProcPerNode at least 1; null counts as 1
   * @param additionalProperties fields beside the known ones
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Flux(
      Integer numProcPerNode,
      @JsonAnySetter @JsonAnyGetter Map<String, Object> additionalProperties) {

    public Flux {
      additionalProperties = Copies.ofUnknown(additionalProperties);
    }
  }
}
