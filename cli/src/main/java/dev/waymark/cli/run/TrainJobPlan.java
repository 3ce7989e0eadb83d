package dev.waymark.cli.run;

import dev.waymark.cli.run.LocalRules.Findings;
import dev.waymark.plan.PlanRefusedException;
import dev.waymark.plan.Planner;
import dev.waymark.plan.PodSet;
import dev.waymark.plan.Refusal;
import dev.waymark.plan.RuntimeLookup;
import dev.waymark.plan.RuntimePlan;
import dev.waymark.plan.VariableExpansion;
import dev.waymark.status.TrainJobKey;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerApi;
import dev.waymark.trainer.api.WaymarkAnnotations;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Turns the plan of a TrainJob into processes on this machine.
 *
 * <p>The planner decides, as in a cluster, what runs in how many pods with which variables. Here a
 * pod becomes a process: it inherits this shell's environment (without which no {@code java} is
 * found), over it come the container's own variables; the local root stands in for the image; host
 * names of the job's own pods become 127.0.0.1.
 */
final class TrainJobPlan {

  private static final String LOOPBACK = "127.0.0.1";

  /** What the API server would set on a TrainJob without one. */
  private static final String DEFAULT_NAMESPACE = "default";

  /** What it would set on a pod without one. */
  private static final String DEFAULT_SERVICE_ACCOUNT = "default";

  private final RuntimePlan plan;
  private final PodSet trainer;
  private final Container container;
  private final LocalRoot root;
  private final Map<String, String> shell;
  private final Machine machine;

  private TrainJobPlan(
      RuntimePlan plan,
      PodSet trainer,
      Container container,
      LocalRoot root,
      Map<String, String> shell,
      Machine machine) {
    this.plan = plan;
    this.trainer = trainer;
    this.container = container;
    this.root = root;
    this.shell = shell;
    this.machine = machine;
  }

  /**
   * Plans the TrainJob in the files.
   *
   * @param shell environment of this process
   * @throws RefusedException with everything that is wrong or can't be done here
   */
  static RunPlan of(List<Path> files, Map<String, String> shell, Machine machine)
      throws RefusedException {
    TrainJobFiles read = TrainJobFiles.read(files);
    try {
      return of(read, shell, machine);
    } catch (RefusedException e) {
      throw new RefusedException(e.reasons(), read.warnings());
    }
  }

  private static RunPlan of(TrainJobFiles read, Map<String, String> shell, Machine machine)
      throws RefusedException {
    TrainJob job = read.trainJob();
    if (job.getMetadata().getNamespace() == null) {
      job.getMetadata().setNamespace(DEFAULT_NAMESPACE);
    }
    RuntimePlan plan = plan(job, read);
    PodSet trainer =
        plan.trainer()
            .orElseThrow(
                () ->
                    refused(
                        "The runtime of %s has no job with the label %s: %s, so nothing trains"
                            .formatted(
                                job.title(),
                                TrainerApi.ANCESTOR_LABEL,
                                TrainerApi.ANCESTOR_TRAINER)));
    Container container =
        trainer
            .container(TrainerApi.NODE)
            .orElseThrow(
                () ->
                    refused(
                        "The runtime's job %s has no container named %s, so nothing trains"
                            .formatted(trainer.name(), TrainerApi.NODE)));
    LocalRoot root = localRoot(job, read.directory());
    TrainJobPlan local = new TrainJobPlan(plan, trainer, container, root, shell, machine);

    Findings findings =
        LocalRules.judge(
            new LocalSubject(job, plan, trainer, container, root, local.pod(0), shell));
    if (!findings.refusals().isEmpty()) {
      throw new RefusedException(findings.refusals());
    }
    List<String> warnings =
        Stream.concat(read.warnings().stream(), findings.warnings().stream()).toList();
    return new RunPlan(
        new TrainJobKey(plan.namespace(), plan.name()),
        IntStream.range(0, trainer.count()).mapToObj(local::node).toList(),
        false,
        local.grace(),
        warnings);
  }

  private static RuntimePlan plan(TrainJob job, TrainJobFiles read) throws RefusedException {
    try {
      RuntimeResource runtime = RuntimeLookup.find(job, read.runtimes());
      // A plan may list every node.
      List<String> tooMany = LocalRefusals.tooManyNodes(job, runtime).toList();
      if (!tooMany.isEmpty()) {
        throw new RefusedException(tooMany);
      }
      return Planner.plan(job, runtime);
    } catch (PlanRefusedException e) {
      // The planner would have the runtime changed for an initializer that can't be here anyway.
      List<String> local = LocalRefusals.initializers(job).toList();
      throw new RefusedException(
          local.isEmpty() ? e.refusals().stream().map(Refusal::toString).toList() : local);
    }
  }

  private static LocalRoot localRoot(TrainJob job, Path directory) throws RefusedException {
    Map<String, String> annotations = job.getMetadata().getAnnotations();
    String folder = annotations == null ? null : annotations.get(WaymarkAnnotations.LOCAL_ROOT);
    if (folder == null) {
      return null;
    }
    Path root;
    try {
      root = directory.resolve(folder).normalize();
    } catch (InvalidPathException e) {
      throw refused(
          "%s: the annotation %s must name a directory: %s"
              .formatted(job.title(), WaymarkAnnotations.LOCAL_ROOT, e.getReason()));
    }
    if (!Files.isDirectory(root)) {
      throw refused(
          "%s: the annotation %s says %s, and there is no such directory: %s"
              .formatted(job.title(), WaymarkAnnotations.LOCAL_ROOT, folder, root));
    }
    return new LocalRoot(root);
  }

  private Node node(int index) {
    Map<String, String> own = ContainerVariables.of(container, pod(index), root, shell);
    own.replaceAll((name, value) -> withoutPodNames(value));
    Map<String, String> environment = new HashMap<>(shell);
    environment.putAll(own);
    environment.putAll(ownDevices(index));
    // Kubernetes gives it to each container of an indexed Job, which those of a JobSet are.
    environment.put("JOB_COMPLETION_INDEX", Integer.toString(index));

    List<String> command = new ArrayList<>();
    Stream.of(container.getCommand(), container.getArgs())
        .flatMap(words -> VariableExpansion.expandAll(words, own).stream())
        .map(word -> withoutPodNames(root.resolveIn(word)))
        .forEach(command::add);
    return new Node(trainer.name() + "-0-" + index, command, environment, directory());
  }

  /** Each node sees the accelerators that it asked for, and no two see the same. */
  private Map<String, String> ownDevices(int index) {
    Map<String, String> visible = new HashMap<>();
    if (container.getResources() != null && container.getResources().getLimits() != null) {
      container
          .getResources()
          .getLimits()
          .forEach(
              (resource, amount) -> {
                String variable = Machine.visibilityVariable(resource);
                int asked = amount.getNumericalAmount().intValue();
                if (variable != null) {
                  List<String> all = machine.visibleDevices(resource, shell);
                  visible.put(
                      variable, String.join(",", all.subList(index * asked, (index + 1) * asked)));
                }
              });
    }
    return visible;
  }

  private DownwardApi pod(int index) {
    ObjectMeta metadata = trainer.job().template().getSpec().getTemplate().getMetadata();
    return new DownwardApi(
        plan.name() + "-" + trainer.name() + "-0-" + index,
        plan.namespace(),
        index,
        metadata == null || metadata.getLabels() == null ? Map.of() : metadata.getLabels(),
        metadata == null || metadata.getAnnotations() == null
            ? Map.of()
            : metadata.getAnnotations(),
        serviceAccount(),
        container.getResources(),
        machine);
  }

  private String serviceAccount() {
    String name = trainer.podSpec().getServiceAccountName();
    return name == null || name.isEmpty() ? DEFAULT_SERVICE_ACCOUNT : name;
  }

  private Path directory() {
    String workingDir = container.getWorkingDir();
    return workingDir == null || workingDir.isEmpty() ? root.folder() : root.directory(workingDir);
  }

  /** All pods of the job are here. */
  private String withoutPodNames(String text) {
    String hosts =
        IntStream.range(0, trainer.count())
            .mapToObj(index -> Pattern.quote(plan.host(trainer.name(), 0, index)))
            .collect(Collectors.joining("|"));
    return text.replaceAll(
        "(?<![-.\\w])(?:" + hosts + ")(?:\\.[-\\w]+\\.svc(?:\\.cluster\\.local)?)?(?![-.\\w])",
        Matcher.quoteReplacement(LOOPBACK));
  }

  private Duration grace() {
    Long seconds = trainer.podSpec().getTerminationGracePeriodSeconds();
    return seconds == null ? RunPlan.DEFAULT_GRACE : Duration.ofSeconds(seconds);
  }

  private static RefusedException refused(String reason) {
    return new RefusedException(List.of(reason));
  }
}
