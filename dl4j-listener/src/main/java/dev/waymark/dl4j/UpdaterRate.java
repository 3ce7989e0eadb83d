package dev.waymark.dl4j;

import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.RampSchedule;

/**
 * The learning rate of an updater, as long as only code of ND4J's is asked for it. A schedule or an
 * updater of the program's own may count its calls, or do anything: with more of them than without
 * reports the training would be another one.
 */
final class UpdaterRate {
  /** By the updater's class, since a look-up costs more than all else here. */
  private static final ClassValue<PrivateField> SCHEDULE =
      new ClassValue<>() {
        @Override
        protected PrivateField computeValue(Class<?> updater) {
          return PrivateField.of(updater, "learningRateSchedule");
        }
      };

  private static final PrivateField BASE_OF_RAMP =
      PrivateField.of(RampSchedule.class, "baseSchedule");

  private UpdaterRate() {}

  /**
   * Whether an updater has a rate, by a schedule or not. One of the program's own, which isn't
   * asked, counts as one that has.
   *
   * @param updater may be null
   */
  static boolean mayHaveOne(IUpdater updater) {
    return updater != null && (!isOfNd4j(updater) || updater.hasLearningRate());
  }

  /**
   * The rate there.
   *
   * @param updater may be null
   * @return NaN if it has none, or if the program's own code would have to tell it
   */
  static double of(IUpdater updater, int iteration, int epoch) {
    if (!mayHaveOne(updater) || !isOfNd4j(updater)) {
      return Double.NaN;
    }
    Object schedule = schedule(updater);
    return isOfFramework(schedule) ? updater.getLearningRate(iteration, epoch) : Double.NaN;
  }

  private static boolean isOfNd4j(IUpdater updater) {
    return isUsual(updater.getClass()) || FrameworkClass.isClassOf(updater);
  }

  /** Whether it is one of those that most programs have. */
  private static boolean isUsual(Class<?> updater) {
    return updater == Adam.class || updater == Sgd.class || updater == Nesterovs.class;
  }

  /** Null for none. Of the usual ones without reflection: it is asked of each batch of a loop. */
  private static Object schedule(IUpdater updater) {
    Class<?> kind = updater.getClass();
    if (kind == Adam.class) {
      return ((Adam) updater).getLearningRateSchedule();
    }
    if (kind == Sgd.class) {
      return ((Sgd) updater).getLearningRateSchedule();
    }
    if (kind == Nesterovs.class) {
      return ((Nesterovs) updater).getLearningRateSchedule();
    }
    return SCHEDULE.get(kind).read(updater);
  }

  /**
   * @param schedule null for none
   */
  private static boolean isOfFramework(Object schedule) {
    return schedule == null
        || (FrameworkClass.isClassOf(schedule)
            && (!(schedule instanceof RampSchedule) || isOfFramework(BASE_OF_RAMP.read(schedule))));
  }
}
