package dev.waymark.client;

import dev.waymark.trainer.api.TrainJob;
import java.util.List;

/**
 * A TrainJob as it will be created, or has been.
 *
 * @param job the whole of it
 * @param warnings what its writer may not expect, for people
 */
public record Submission(TrainJob job, List<String> warnings) {

  public Submission {
    warnings = List.copyOf(warnings);
  }
}
