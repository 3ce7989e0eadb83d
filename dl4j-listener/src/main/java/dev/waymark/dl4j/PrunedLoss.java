package dev.waymark.dl4j;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.nd4j.autodiff.listeners.Loss;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.config.SDValue;
import org.nd4j.autodiff.samediff.internal.AbstractSession;
import org.nd4j.autodiff.samediff.internal.TrainingSession;

/**
 * Finds the loss that SameDiff 1.0.0-M2.1 doesn't work out. What a training iteration computes are
 * the gradients; a loss whose gradient doesn't need its value is pruned, and shows as exactly 0.0.
 *
 * <p>The session of the first iteration shows which losses it has computed. One that it hasn't is
 * asked for where a report wants it: its variable is added to what an iteration puts out, which
 * repeats nothing that the session computes anyway. The session then gets its 0.0 back, so that the
 * program's losses are the same as ever; its own listeners hear of the operations that were added.
 *
 * <p>It has to be an output. Of anything else that a session computes it releases the array as soon
 * as no operation needs it any more: a loss before the session itself has read it, which fails the
 * training where that frees the memory at once ({@code org.nd4j.autodiff.samediff}, {@code
 * org.bytedeco.javacpp.maxbytes}); and a scalar into a cache that never gives one out again, which
 * grows. So the scalars on the way to a loss are outputs as well, once they are known.
 *
 * <p>For one instance, whose fits come one after the other (fit locks it), and which it doesn't
 * keep alive.
 */
final class PrunedLoss {
  private static final PrivateField GRAPH = PrivateField.of(TrainingSession.class, "sameDiff");
  private static final PrivateField LOSSES = PrivateField.of(TrainingSession.class, "currIterLoss");

  /** The session of the last iteration: a fit has one for all of them, which keeps its graph. */
  private WeakReference<TrainingSession> lastSession = new WeakReference<>(null);

  /** The gradients' graph that the rest is known of; a changed instance makes another one. */
  private WeakReference<Object> graph = new WeakReference<>(null);

  private String[] variables = {};

  /** Those of the variables that are not computed; null before an iteration has shown them. */
  private List<String> pruned;

  /** What was computed without being asked for; null once the scalars are known. */
  private Set<String> computed;

  /** What is asked for: those that are pruned, and the scalars that they are made of. */
  private List<String> outputs = List.of();

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
    if (lastSession.get() != session || !areLosses(lossVariables)) {
      lastSession = new WeakReference<>(session);
      worksOn(GRAPH.read(session), lossVariables);
    }
  }

  /** Whether these are the losses that are known: mostly the same objects, in an array list. */
  private boolean areLosses(List<String> names) {
    int count = variables.length;
    boolean same = names.size() == count;
    for (int i = 0; same && i < count; i++) {
      same = variables[i].equals(names.get(i));
    }
    return same;
  }

  private void worksOn(Object present, List<String> lossVariables) {
    if (graph.get() != present || !areLosses(lossVariables)) {
      graph = new WeakReference<>(present);
      variables = lossVariables.toArray(new String[0]);
      pruned = null;
      computed = null;
      outputs = List.of();
    }
  }

  /** Whether an iteration has shown what is computed. */
  boolean isKnown() {
    return pruned != null;
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
            && Arrays.stream(variables).allMatch(((SameDiff) present)::hasVariable)
            && outputs.stream().allMatch(((SameDiff) present)::hasVariable)
            && placeholders.keySet().containsAll(((SameDiff) present).inputs());
  }

  /**
   * A session begins to compute what an iteration needs.
   *
   * @param put what it is told to put out; more if the loss is wanted
   * @param required what else it is told to compute; may be null
   */
  void outputBegan(List<String> put, Collection<String> required) {
    asked = wanted && put instanceof ArrayList && isOnlyForReports(required);
    if (asked) {
      put.addAll(outputs);
    }
  }

  private boolean isOnlyForReports(Collection<String> required) {
    return required == null || Collections.disjoint(required, pruned);
  }

  /** The session has computed all that it was told. */
  void outputEnded(AbstractSession<?, ?> session) {
    if (pruned == null) {
      computed = computedBy(session, value -> true);
      pruned =
          Arrays.stream(variables)
              .filter(loss -> !computed.contains(loss))
              .collect(Collectors.toUnmodifiableList());
      outputs = pruned;
    } else if (asked) {
      findScalars(session);
      take(session);
    }
  }

  private void findScalars(AbstractSession<?, ?> session) {
    if (computed == null) {
      return;
    }
    Set<String> all = computedBy(session, PrunedLoss::isScalar);
    all.removeAll(computed);
    all.addAll(pruned);
    outputs = List.copyOf(all);
    computed = null;
  }

  /** Names of variables; a session keeps their values to its end. */
  private static Set<String> computedBy(AbstractSession<?, ?> session, Predicate<SDValue> which) {
    Set<String> names = new HashSet<>();
    session
        .getNodeValueOutputs()
        .forEach(
            (id, value) -> {
              if (AbstractSession.OUTER_FRAME.equals(id.getFrame()) && which.test(value)) {
                names.add(id.getVariable());
              }
            });
    return names;
  }

  /** By its shape, which is known of an array that was released too. */
  private static boolean isScalar(SDValue value) {
    return value != null && value.getTensorValue() != null && value.getTensorValue().rank() == 0;
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
    for (int i = 0; i < Math.min(losses.length, variables.length); i++) {
      if (pruned.contains(variables[i])) {
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
