package example;

/** Trains with DJL, then with Deeplearning4j, then with DJL again. */
public final class BothFrameworks {
  private BothFrameworks() {}

  /** Runs the three trainings. */
  public static void main(String[] arguments) throws Exception {
    Training.main(new String[] {"fit"});
    example.dl4j.Trainings.main(new String[] {"fit-epochs"});
    Training.main(new String[] {"fit"});
  }
}
