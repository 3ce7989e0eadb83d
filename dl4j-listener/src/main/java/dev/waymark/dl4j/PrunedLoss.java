package dev.waymark.dl4j;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.internal.AbstractSession;
import org.nd4j.autodiff.samediff.internal.TrainingSession;

/**
 * Finds the loss that SameDiff 1.0.0-M2.1 doesn't work out. What a training iteration computes are
 * the gradients; a loss whose gradient doesn't need its value is pruned, and shows as exactly 0.0.
 *
 * <p>The session of the first iteration shows which losses it has computed. One that it hasn't is
 * asked for where a report wants it: its variable is added to what an iteration must compute, which
 * neither changes nor repeats anything else. The session then gets its 0.0 back, so that the
 * program sees the same as ever.
 *
 * <p>For one instance, whose fits come one after the other (fit locks it), and which it doesn't
 * keep alive.
 */
final class PrunedLoss {
  private static final PrivateField GRAPH = PrivateField.of(TrainingSession.class, "sameDiff");
  private static final PrivateField LOSSES = PrivateField.of(TrainingSession.class, "currIterLoss");

  /** The gradients' graph that the rest is known of; a changed instance makes another one. */
  private WeakReference<Object> graph = new WeakReference<>(null);

  private List<String> variables = List.of();

  /** Those of the variables that are not computed; null before an iteration has shown them. */
  private List<String> pruned;

  private boolean wanted;
  private boolean asked;
  private double found;

  /**
   * An iteration begins.
   *
   * @param lossVariables the names of all losses
   */
  void iterationBegan(TrainingSession session, List<String> lossVariables) {
    wanted = false;
    asked = false;
    Object present = GRAPH.read(session);
    if (graph.get() != present || !variables.equals(lossVariables)) {
      graph = new WeakReference<>(present);
      variables = List.copyOf(lossVariables);
      pruned = null;
    }
  }

  /** Whether there is a loss that could be asked for. */
  boolean isPruned() {
    return pruned != null && !pruned.isEmpty();
  }

  /**
   * The present iteration is to be asked for its loss, if it can be: one that lacks something would
   * fail.
   *
   * @param placeholders what the iteration is given
   */
  void want(Map<String, ?> placeholders) {
    Object present = graph.get();
    wanted =
        isPruned()
            && present instanceof SameDiff
            && variables.stream().allMatch(((SameDiff) present)::hasVariable)
            && placeholders.keySet().containsAll(((SameDiff) present).inputs());
  }

  /**
   * A session begins to compute what an iteration needs.
   *
   * @param required what it is told to compute; changed if the loss is wanted
   */
  void outputBegan(Collection<String> required) {
    if (wanted && required instanceof Set) {
      required.addAll(pruned);
      asked = true;
    }
  }

  /** The session has computed all that it was told. */
  void outputEnded(AbstractSession<?, ?> session) {
    if (pruned == null) {
      pruned =
          variables.stream()
              .filter(loss -> !session.contains(loss, AbstractSession.OUTER_FRAME, 0, null))
              .collect(Collectors.toUnmodifiableList());
    } else if (asked) {
      take(session);
    }
  }

  private void take(AbstractSession<?, ?> session) {
    Object losses = LOSSES.read(session);
    asked = losses instanceof double[];
    if (asked) {
      found = taken((double[]) losses);
    }
  }

  private double taken(double[] losses) {
    double sum = 0;
    for (int i = 0; i < Math.min(losses.length, variables.size()); i++) {
      if (pruned.contains(variables.get(i))) {
        sum += losses[i];
        losses[i] = 0;
      }
    }
    return sum;
  }

  /**
   * The loss of the iteration that has ended.
   *
   * @param told what the session says of those that it computes by itself
   * @return null if it is not known
   */
  Double of(Loss told) {
    if (!isPruned()) {
      return told.totalLoss();
    }
    return asked ? (Double) (told.totalLoss() + found) : null;
  }
}
