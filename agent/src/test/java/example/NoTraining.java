package example;

/** Has nothing to do with DJL. */
public final class NoTraining {
  private NoTraining() {}

  public static void main(String[] arguments) {
    System.out.println("done");
  }
}
