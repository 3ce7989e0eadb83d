package dev.waymark.trainer.api;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The TrainJobs and runtimes that a text holds, in YAML (documents separated by {@code ---}) or
 * JSON.
 *
 * @param resources in the order of the text
 * @param warnings fields that the Trainer API doesn't know, and fields that are there but empty:
 *     both are usually mistakes, and an API server may see them differently
 */
public record TrainerDocuments(
    List<TrainerResource<?, ?>> resources, List<DocumentProblem> warnings) {

  public TrainerDocuments {
    resources = List.copyOf(resources);
    warnings = List.copyOf(warnings);
  }

  /**
   * Reads all documents of a text. YAML is read as Kubernetes does (version 1.1: {@code yes} is a
   * boolean, {@code 0400} is octal), and types are as strict as an API server's.
   *
   * @param source name of the text for messages, usually the file's
   * @throws InvalidDocumentsException with all that is wrong, if anything is
   */
  public static TrainerDocuments read(String source, String text) {
    List<TrainerResource<?, ?>> resources = new ArrayList<>();
    List<DocumentProblem> problems = new ArrayList<>();
    List<DocumentProblem> warnings = new ArrayList<>();
    for (SourceDocument document : SourceDocument.split(source, text, problems::add)) {
      DocumentBinder binder = new DocumentBinder(document, problems::add, warnings::add);
      binder.bind().ifPresent(resources::add);
    }
    if (resources.isEmpty() && problems.isEmpty()) {
      problems.add(
          new DocumentProblem(
              source, 1, 1, "", "nothing in it: expected " + DocumentBinder.KNOWN_KINDS));
    }
    if (!problems.isEmpty()) {
      throw new InvalidDocumentsException(problems);
    }
    return new TrainerDocuments(resources, warnings);
  }

  /** The TrainJobs among the resources. */
  public List<TrainJob> trainJobs() {
    return only(TrainJob.class).toList();
  }

  /** The runtimes of either kind among the resources. */
  public List<RuntimeResource> runtimes() {
    return only(RuntimeResource.class).toList();
  }

  private <T extends TrainerResource<?, ?>> Stream<T> only(Class<T> kind) {
    return resources.stream().filter(kind::isInstance).map(kind::cast);
  }
}
