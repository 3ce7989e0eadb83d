package dev.waymark.samples.iris;

import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.training.Trainer;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.util.Utils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Saves the model after each epoch, in DJL's own form, as the one file in a folder. The optimizer's
 * moments, which DJL doesn't save, start anew.
 */
final class IrisCheckpoint extends TrainingListenerAdapter {
  private static final String NAME = "iris";
  private static final String EPOCH = "Epoch"; // names the file, and is kept in it

  private final Path folder;
  private int epochsDone;

  IrisCheckpoint(Path folder) {
    this.folder = folder;
  }

  /** Loads the newest checkpoint if there is one; returns how many epochs it has behind it. */
  int load(Model model) throws IOException, MalformedModelException {
    if (Files.isDirectory(folder) && Utils.getCurrentEpoch(folder, NAME) > 0) {
      model.load(folder, NAME);
      epochsDone = Integer.parseInt(model.getProperty(EPOCH));
    }
    return epochsDone;
  }

  /** {@inheritDoc} */
  @Override
  public void onEpoch(Trainer trainer) {
    try {
      save(trainer.getModel());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program may be ended at any moment: the new file is whole before the old one goes. */
  private void save(Model model) throws IOException {
    Path old = file(folder);
    epochsDone++;
    model.setProperty(EPOCH, Integer.toString(epochsDone));
    Path unfinished = folder.resolve("unfinished");
    model.save(unfinished, NAME);
    Files.move(file(unfinished), file(folder), StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(old);
  }

  private Path file(Path in) {
    return in.resolve(String.format("%s-%04d.params", NAME, epochsDone));
  }
}
