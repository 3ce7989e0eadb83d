package dev.waymark.dl4j;

/**
 * The calls of fit that a thread is within. Of nested ones that train the same model, as {@code
 * fit(iterator, n)} calls {@code fit(iterator)} and that {@code fit(features, labels)}, only the
 * outermost is a fit by itself; those within may be its epochs.
 */
final class FitStack {
  @SuppressWarnings("ThreadLocalUsage") // one for each copy of Deeplearning4j, and empty after fit
  private final ThreadLocal<Call> innermost = new ThreadLocal<>();

  /**
   * A call has begun.
   *
   * @param subject what is called: a model, or what trains one
   * @param model what is trained
   * @param run the model's
   * @param epochs how many epochs the call is, if it returns; 0 if it is none by itself
   */
  Call push(Object subject, Object model, FittedRun run, int epochs) {
    Call outer = innermost.get();
    boolean nested = outer != null && (outer.model == null || outer.model == model);
    return push(new Call(subject, model, nested ? outer.run : run, epochs, nested, outer));
  }

  /** The thread begins to work for a fit that another thread is within, on a replica. */
  void join(Object subject, FittedRun run) {
    push(new Call(subject, null, run, 0, true, innermost.get()));
  }

  private Call push(Call call) {
    innermost.set(call);
    return call;
  }

  /**
   * Whether the innermost call is the first that something is thrown out of, which then gets out of
   * those around it too.
   */
  boolean isFirstLeftBy(Throwable thrown) {
    Call call = innermost.get();
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
    Call call = innermost.get();
    while (call != null && call.subject != subject) {
      call = call.outer;
    }
    if (call == null) {
      return null;
    }
    for (Call missed = innermost.get(); missed != call; missed = missed.outer) {
      missed.endUnseen();
    }
    if (call.outer == null) {
      innermost.remove();
    } else {
      innermost.set(call.outer);
    }
    return call;
  }

  /** The run that the present thread trains for; null if it is within no fit. */
  FittedRun run() {
    Call call = innermost.get();
    return call == null ? null : call.run;
  }

  /** The early stopping that the present thread is within; null if it is within none. */
  EarlyStopping earlyStopping() {
    Call call = innermost.get();
    while (call != null && call.earlyStopping == null) {
      call = call.outer;
    }
    return call == null ? null : call.earlyStopping;
  }

  /** One call. It may refer to what it trains, for it is forgotten when it has ended. */
  static final class Call {
    private final Object subject;

    /** Null if whatever is trained within the call is part of it. */
    private final Object model;

    private final FittedRun run;
    private final int epochs;
    private final boolean nested;
    private final Call outer;
    private boolean fit;
    private EarlyStopping earlyStopping;

    /** What was thrown out of a call within; null if nothing was. */
    private Throwable leftBy;

    private Call(
        Object subject, Object model, FittedRun run, int epochs, boolean nested, Call outer) {
      this.subject = subject;
      this.model = model;
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

    /** It is a fit by itself, whose beginning its run knows of. */
    void setFit() {
      fit = true;
    }

    boolean isFit() {
      return fit;
    }

    private void endUnseen() {
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
