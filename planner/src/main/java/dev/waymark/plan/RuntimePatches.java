package dev.waymark.plan;

import dev.waymark.trainer.api.JobSetSpec;
import dev.waymark.trainer.api.JobSetTemplateSpec;
import dev.waymark.trainer.api.ReplicatedJob;
import dev.waymark.trainer.api.RuntimePatch;
import dev.waymark.trainer.api.TrainerJson;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A runtime's template with the patches of a TrainJob merged into it, one after the other. */
final class RuntimePatches {

  /**
   * The patched template. What no patch changes may be the runtime's own, so nobody may change it.
   */
  static JobSetTemplateSpec apply(PlanRequest request) {
    JobSetTemplateSpec template = request.runtime().getSpec().template();
    List<RuntimePatch> patches = PatchRules.patches(request);
    return patches.isEmpty()
        ? new JobSetTemplateSpec(
            ownLabelsAndAnnotations(template.metadata()),
            template.spec(),
            template.additionalProperties())
        : apply(template, patches);
  }

  private static JobSetTemplateSpec apply(JobSetTemplateSpec template, List<RuntimePatch> patches) {
    Map<String, Object> metadata = new LinkedHashMap<>(labelsAndAnnotations(template.metadata()));
    Map<String, Object> spec = TrainerJson.toMap(template.spec());
    for (RuntimePatch each : patches) {
      Map<String, Object> patch = PatchRules.field(each.trainingRuntimeSpec(), "template");
      metadata =
          StrategicMerge.merge(metadata, labelsAndAnnotations(PatchRules.field(patch, "metadata")));
      spec = StrategicMerge.merge(spec, PatchRules.field(patch, "spec"));
    }
    return new JobSetTemplateSpec(
        TrainerJson.fromMap(metadata, ObjectMeta.class),
        inOrderOf(template.spec(), TrainerJson.fromMap(spec, JobSetSpec.class)),
        template.additionalProperties());
  }

  private static ObjectMeta ownLabelsAndAnnotations(ObjectMeta metadata) {
    ObjectMeta own = new ObjectMeta();
    if (metadata != null) {
      own.setLabels(copyOf(metadata.getLabels()));
      own.setAnnotations(copyOf(metadata.getAnnotations()));
    }
    return own;
  }

  private static Map<String, String> copyOf(Map<String, String> texts) {
    return texts == null ? new LinkedHashMap<>() : new LinkedHashMap<>(texts);
  }

  private static Map<String, Object> labelsAndAnnotations(ObjectMeta metadata) {
    return metadata == null
        ? Map.of()
        : TrainerJson.toMap(
            new ObjectMetaBuilder()
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .build());
  }

  private static Map<String, Object> labelsAndAnnotations(Map<String, Object> metadata) {
    Map<String, Object> kept = new LinkedHashMap<>(metadata);
    kept.keySet().retainAll(List.of("labels", "annotations"));
    return kept;
  }

  /** A merge orders jobs by the patch; a JobSet starts them in the order of the runtime. */
  private static JobSetSpec inOrderOf(JobSetSpec runtime, JobSetSpec merged) {
    List<String> order = runtime.replicatedJobs().stream().map(ReplicatedJob::name).toList();
    List<ReplicatedJob> jobs = new ArrayList<>(merged.replicatedJobs());
    jobs.sort(Comparator.comparingInt(job -> order.indexOf(job.name())));
    return merged.with(jobs, merged.suspend());
  }

  private RuntimePatches() {}
}
