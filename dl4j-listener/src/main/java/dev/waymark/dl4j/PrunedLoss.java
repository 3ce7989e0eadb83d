package dev.waymark.dl4j;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.internal.TrainingSession;

/**
 * Finds the loss that SameDiff 1.0.0-M2.1 doesn't work out. What a training iteration computes are
 * the gradients; a loss whose gradient doesn't need its value is pruned, and shows as exactly 0.0.
 *
 * <p>Once a loss has shown so, it is asked for where a report wants one: its variable is added to
 * what an iteration must compute, which neither changes nor repeats anything else. The session then
 * gets its 0.0 back, so that the program sees the same as ever.
 *
 * <p>For one call of fit; to be used on its thread only.
 */
final class PrunedLoss {
  private static final PrivateField GRAPH = PrivateField.of(TrainingSession.class, "sameDiff");
  private static final PrivateField LOSSES = PrivateField.of(TrainingSession.class, "currIterLoss");

  /** By the order of the loss variables; null before the first iteration has shown them. */
  private List<String> pruned;

  private List<String> variables = List.of();
  private boolean impossible;
  private boolean asked;
  private double found;

  /**
   * An iteration begins.
   *
   * @param lossVariables the names of all losses
   * @param placeholders what the iteration is given
   */
  void iterationBegan(List<String> lossVariables, Map<String, ?> placeholders, Object session) {
    asked = false;
    found = Double.NaN;
    if (pruned == null) {
      variables = List.copyOf(lossVariables);
      impossible = !canBeAskedFor(session, placeholders);
    }
  }

  /** A loss that lacks something must not be asked for: the iteration would fail. */
  private boolean canBeAskedFor(Object session, Map<String, ?> placeholders) {
    Object graph = GRAPH.read(session);
    return graph instanceof SameDiff
        && variables.stream().allMatch(((SameDiff) graph)::hasVariable)
        && placeholders.keySet().containsAll(((SameDiff) graph).inputs());
  }

  /** Whether there is a loss that could be asked for. */
  boolean canAsk() {
    return pruned != null && !pruned.isEmpty() && !impossible;
  }

  /**
   * Asks for the pruned losses in this iteration.
   *
   * @param required what the session is told to compute; changed
   */
  void askFor(Collection<String> required) {
    if (canAsk() && required instanceof Set) {
      required.addAll(pruned);
      asked = true;
    }
  }

  /** The session has computed all that it was told: takes what was asked for. */
  void take(Object session) {
    Object losses = LOSSES.read(session);
    if (!asked || !(losses instanceof double[])) {
      return;
    }
    double[] values = (double[]) losses;
    double sum = 0;
    for (int i = 0; i < Math.min(values.length, variables.size()); i++) {
      if (pruned.contains(variables.get(i))) {
        sum += values[i];
        values[i] = 0;
      }
    }
    found = sum;
  }

  /**
   * The loss of the iteration that has ended.
   *
   * @param told what the session says
   * @return null if it is not known
   */
  Double loss(Loss told) {
    if (told == null) {
      return null;
    }
    if (pruned == null) {
      pruned = zeros(told);
    }
    if (pruned.isEmpty()) {
      return told.totalLoss();
    }
    return Double.isNaN(found) && !asked ? null : (Double) (told.totalLoss() + found);
  }

  private List<String> zeros(Loss told) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < variables.size(); i++) {
      if (told.lossValues()[i] == 0) {
        names.add(variables.get(i));
      }
    }
    return names;
  }
}
