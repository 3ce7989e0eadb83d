package dev.waymark.dl4j;

import java.lang.ref.WeakReference;

/**
 * The calls of fit that a thread is within. Of nested ones that train the same model, as {@code
 * fit(iterator, n)} calls {@code fit(iterator)} and that {@code fit(features, labels)}, only the
 * outermost is a fit by itself; those within may be its epochs.
 *
 * <p>A loop makes thousands of calls that are alike, each a fit of one batch. So one that has ended
 * stays where it was, and begins again with the next.
 */
final class FitStack {
  /** May be one that has ended. */
  private final OfThread<Call> last = new OfThread<>();

  /**
   * A call has begun.
   *
   * @param subject what is called: a model, or what trains one
   * @param model what is trained
   * @param run the model's
   * @param epochs how many epochs the call is, if it returns; 0 if it is none by itself
   */
  Call push(Object subject, Object model, FittedRun run, int epochs) {
    Call outer = innermost();
    boolean nested = outer != null && outer.isAround(model);
    return push(new Call(subject, model, nested ? outer.run : run, epochs, nested, outer));
  }

  /** The thread begins to work for a fit that another thread is within, on a replica. */
  void join(Object subject, FittedRun run) {
    push(new Call(subject, null, run, 0, true, innermost()));
  }

  private Call push(Call call) {
    last.set(call);
    return call;
  }

  /**
   * A fit of one batch has begun.
   *
   * @return whether that is the next of a loop, and nothing is left to do; else it is to be pushed
   */
  boolean beginsAgain(Object model) {
    Call call = last.get();
    return call != null && call.beginsAgain(model);
  }

  /**
   * A call of this subject has returned.
   *
   * @return whether it was {@linkplain #beginsAgain one of a loop}, and nothing is left to do; else
   *     it is to be popped
   */
  boolean endsAgain(Object subject) {
    Call call = last.get();
    return call != null && call.endsAgain(subject);
  }

  /** A fit of one batch that was popped may begin again, if no other call is around it. */
  void keepForLoop(Call call) {
    if (call.outer == null && call.fit && call.epochs == 0 && last.isOfFirst()) {
      call.end();
      last.set(call);
    }
  }

  private Call innermost() {
    Call call = last.get();
    return call == null || call.over ? null : call;
  }

  /**
   * Whether the innermost call is the first that something is thrown out of, which then gets out of
   * those around it too.
   */
  boolean isFirstLeftBy(Throwable thrown) {
    Call call = innermost();
    if (call == null || call.leftBy == thrown) {
      return false;
    }
    for (Call outer = call.outer; outer != null; outer = outer.outer) {
      outer.leftBy = thrown;
    }
    return true;
  }

  /**
   * The innermost call of this subject has ended, and so has what is within it, whose own ends were
   * missed.
   *
   * @return null if it is not known, since its beginning was not seen
   */
  Call pop(Object subject) {
    Call call = innermost();
    while (call != null && call.get() != subject) {
      call = call.outer;
    }
    if (call == null) {
      return null;
    }
    for (Call missed = innermost(); missed != call; missed = missed.outer) {
      missed.endUnseen();
    }
    last.set(call.outer);
    call.becomeOneByItself();
    return call;
  }

  /** The run that the present thread trains for; null if it is within no fit. */
  FittedRun run() {
    Call call = innermost();
    return call == null ? null : call.run;
  }

  /** The early stopping that the present thread is within; null if it is within none. */
  EarlyStopping earlyStopping() {
    Call call = innermost();
    while (call != null && call.earlyStopping == null) {
      call = call.outer;
    }
    return call == null ? null : call.earlyStopping;
  }

  /**
   * One call. It refers weakly to its subject and to the model, which live as long as it lasts: it
   * may stay for longer.
   */
  static final class Call extends WeakReference<Object> {
    /** Null if whatever is trained within the call is part of it. */
    private final WeakReference<Object> model;

    private final FittedRun run;
    private final int epochs;
    private final boolean nested;
    private final Call outer;
    private boolean fit;
    private EarlyStopping earlyStopping;

    /** What was thrown out of a call within; null if nothing was. */
    private Throwable leftBy;

    /** It has ended, and may begin again. */
    private boolean over;

    /** It has begun again, in a loop. */
    private boolean again;

    private Call(
        Object subject, Object model, FittedRun run, int epochs, boolean nested, Call outer) {
      super(subject);
      this.model = model == null ? null : subject == model ? this : new WeakReference<>(model);
      this.run = run;
      this.epochs = epochs;
      this.nested = nested;
      this.outer = outer;
    }

    FittedRun run() {
      return run;
    }

    int epochs() {
      return epochs;
    }

    /** Whether it is part of a fit further out. */
    boolean isNested() {
      return nested;
    }

    private boolean isAround(Object other) {
      return model == null || model.get() == other;
    }

    /** It is a fit by itself, whose beginning its run knows of. */
    void setFit() {
      fit = true;
    }

    boolean isFit() {
      return fit;
    }

    private boolean beginsAgain(Object subject) {
      if (!over || get() != subject || !run.batchBeginsAgain()) {
        return false;
      }
      over = false;
      again = true;
      return true;
    }

    private boolean endsAgain(Object subject) {
      if (!again || get() != subject || !run.batchEndsAgain()) {
        return false;
      }
      end();
      return true;
    }

    private void end() {
      over = true;
      again = false;
      leftBy = null;
    }

    /** From here on it is told as any other call, wherever it began. */
    private void becomeOneByItself() {
      if (again) {
        again = false;
        run.batchIsFit();
      }
    }

    private void endUnseen() {
      becomeOneByItself();
      if (fit) {
        run.fitEnded(null);
      }
    }

    void setEarlyStopping(EarlyStopping watched) {
      earlyStopping = watched;
    }

    /** Null unless the call is one of an early stopping trainer. */
    EarlyStopping earlyStopping() {
      return earlyStopping;
    }
  }
}
