package dev.waymark.cli.cluster;

import dev.waymark.client.CustomTrainer;
import dev.waymark.client.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What each node of a TrainJob has, as flags say it. */
final class NodeFlags {

  @Option(names = "--image", paramLabel = "I", description = "Of the training's container.")
  private String image;

  @Option(names = "--nodes", paramLabel = "N", description = "How many there are.")
  private Integer nodes;

  @Option(names = "--gpus", paramLabel = "N", description = "NVIDIA GPUs of each.")
  private String gpus;

  @Option(
      names = "--npus",
      paramLabel = "N",
      description = "Ascend NPUs of each (huawei.com/Ascend910; others by --resource).")
  private String npus;

  @Option(names = "--cpu", paramLabel = "Q", description = "CPUs of each: 8, 500m.")
  private String cpu;

  @Option(names = "--memory", paramLabel = "Q", description = "Memory of each: 32Gi.")
  private String memory;

  @Option(
      names = "--resource",
      paramLabel = "R=Q",
      description = "Any other resource of each: mig-1g.5gb=1, amd.com/gpu=2.")
  private Map<String, String> resources = new LinkedHashMap<>();

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Processes in each, for torch and MPI runtimes.")
  private Integer processes;

  @Option(
      names = {"-e", "--env"},
      paramLabel = "K=V",
      description = "A variable; may be given several times.")
  private Map<String, String> env = new LinkedHashMap<>();

  @Option(
      names = "--env-from-secret",
      paramLabel = "K=SECRET/KEY",
      description = "A variable with the value of a Secret's key.")
  private Map<String, String> secretEnv = new LinkedHashMap<>();

  CustomTrainer trainer(Program program, CommandSpec spec) {
    CustomTrainer.Builder trainer = CustomTrainer.builder().image(image).program(program);
    if (nodes != null) {
      trainer.numNodes(nodes);
    }
    if (processes != null) {
      trainer.numProcPerNode(processes);
    }
    resources(spec).forEach(trainer::resource);
    env.forEach(trainer::env);
    secretEnv.forEach(
        (name, place) -> {
          int slash = place.indexOf('/');
          if (slash < 1 || slash == place.length() - 1) {
            throw new ParameterException(
                spec.commandLine(),
                "--env-from-secret " + name + "=" + place + ": write NAME=SECRET/KEY");
          }
          trainer.envFromSecret(name, place.substring(0, slash), place.substring(slash + 1));
        });
    return trainer.build();
  }

  private Map<String, String> resources(CommandSpec spec) {
    Map<String, String> all = new LinkedHashMap<>();
    putIfSaid(all, "gpu", gpus);
    putIfSaid(all, "npu", npus);
    putIfSaid(all, "cpu", cpu);
    putIfSaid(all, "memory", memory);
    resources.forEach(
        (name, amount) -> {
          if (all.putIfAbsent(name, amount) != null) {
            throw new ParameterException(
                spec.commandLine(),
                "--resource " + name + "=" + amount + ": " + name + " is said twice: say it once");
          }
        });
    return all;
  }

  private static void putIfSaid(Map<String, String> all, String name, String amount) {
    if (amount != null) {
      all.put(name, amount);
    }
  }
}
