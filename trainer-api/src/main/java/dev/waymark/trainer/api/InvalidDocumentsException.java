package dev.waymark.trainer.api;

import java.util.List;
import java.util.stream.Collectors;

/** A text that holds no usable documents of the Trainer API; says everything that was found. */
public final class InvalidDocumentsException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  private final transient List<DocumentProblem> problems;

  InvalidDocumentsException(List<DocumentProblem> problems) {
    super(problems.stream().map(DocumentProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** In the order of the text; at least one. */
  public List<DocumentProblem> problems() {
    return problems;
  }
}
