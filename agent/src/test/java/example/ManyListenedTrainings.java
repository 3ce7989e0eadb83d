package example;

import dev.waymark.djl.ProgressTrainingListener;
import java.util.List;

/** The same with the listener, which its program registers by hand. */
public final class ManyListenedTrainings {
  private static final int EPOCHS = 3;

  private ManyListenedTrainings() {}

  public static void main(String[] arguments) throws Exception {
    for (int training = 0; training < Integer.parseInt(arguments[0]); training++) {
      ManyTrainings.train(
          EPOCHS, List.of(ProgressTrainingListener.builder().optTotalEpochs(EPOCHS).build()));
    }
  }
}
