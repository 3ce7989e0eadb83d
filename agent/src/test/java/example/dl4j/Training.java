package example.dl4j;

import java.util.Map;
import org.nd4j.linalg.factory.Nd4j;

/** A training that knows nothing of Waymark. */
@FunctionalInterface
interface Training {
  void run() throws Exception;

  /** Runs those that are named, one after the other in one process. */
  static void runAll(Map<String, Training> known, String... names) throws Exception {
    Nd4j.getRandom().setSeed(1);
    for (String name : names) {
      System.out.println("training " + name);
      known.get(name).run();
    }
  }
}
