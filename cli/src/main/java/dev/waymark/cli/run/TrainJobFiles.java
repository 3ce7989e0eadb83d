package dev.waymark.cli.run;

import dev.waymark.trainer.api.DocumentProblem;
import dev.waymark.trainer.api.InvalidDocumentsException;
import dev.waymark.trainer.api.RuntimeResource;
import dev.waymark.trainer.api.TrainJob;
import dev.waymark.trainer.api.TrainerDocuments;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the YAML files of a run hold.
 *
 * @param trainJob the only one
 * @param directory where its file lies
 * @param runtimes all of them
 * @param warnings what is odd in the files, each a sentence
 */
record TrainJobFiles(
    TrainJob trainJob, Path directory, List<RuntimeResource> runtimes, List<String> warnings) {

  /**
   * Reads the files.
   *
   * @throws RefusedException with everything that is wrong in them
   */
  static TrainJobFiles read(List<Path> files) throws RefusedException {
    List<TrainJob> trainJobs = new ArrayList<>();
    List<RuntimeResource> runtimes = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    Path directory = null;
    for (Path file : files) {
      try {
        TrainerDocuments documents = TrainerDocuments.read(file.toString(), Files.readString(file));
        if (!documents.trainJobs().isEmpty()) {
          directory = file.toAbsolutePath().normalize().getParent();
        }
        trainJobs.addAll(documents.trainJobs());
        runtimes.addAll(documents.runtimes());
        documents.warnings().stream().map(DocumentProblem::toString).forEach(warnings::add);
      } catch (InvalidDocumentsException e) {
        e.problems().stream().map(DocumentProblem::toString).forEach(problems::add);
      } catch (NoSuchFileException e) {
        problems.add("There is no file " + file);
      } catch (CharacterCodingException e) {
        problems.add(file + " is no text in UTF-8");
      } catch (IOException e) {
        problems.add("Can't read " + file + ": " + e.getMessage());
      }
    }
    if (problems.isEmpty() && trainJobs.size() != 1) {
      problems.add("Expected one TrainJob in the files, and there are " + trainJobs.size());
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(problems, warnings);
    }
    return new TrainJobFiles(trainJobs.get(0), directory, runtimes, warnings);
  }
}
