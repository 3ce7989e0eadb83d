package dev.waymark.dl4j;

import org.nd4j.linalg.learning.config.IUpdater;
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
    return updater != null && (!FrameworkClass.isClassOf(updater) || updater.hasLearningRate());
  }

  /**
   * The rate there.
   *
   * @param updater may be null
   * @return NaN if it has none, or if the program's own code would have to tell it
   */
  static double of(IUpdater updater, int iteration, int epoch) {
    if (!mayHaveOne(updater) || !FrameworkClass.isClassOf(updater)) {
      return Double.NaN;
    }
    Object schedule = SCHEDULE.get(updater.getClass()).read(updater);
    return isOfFramework(schedule) ? updater.getLearningRate(iteration, epoch) : Double.NaN;
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
