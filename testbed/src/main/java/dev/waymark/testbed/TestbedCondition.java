package dev.waymark.testbed;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Skips or fails tests where the testbed isn't built. */
class TestbedCondition implements ExecutionCondition, BeforeAllCallback {

  private static final Namespace STORE = Namespace.create(TestbedCondition.class);

  private final String kubeconfig;

  TestbedCondition() {
    this(null);
  }

  /**
   * @param kubeconfig a cluster that can be used instead of the testbed, or null
   */
  TestbedCondition(String kubeconfig) {
    this.kubeconfig = kubeconfig;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return decision(context) == Decision.SKIP
        ? ConditionEvaluationResult.disabled(Decision.HOW_TO_BUILD)
        : ConditionEvaluationResult.enabled("a cluster is there, can be started, or is required");
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (decision(context) == Decision.FAIL) {
      throw new IllegalStateException(
          Testbed.MODE + " says that these tests must run. " + Decision.HOW_TO_BUILD);
    }
  }

  /** Made and, if it is to skip, told once for each JVM, whatever the number of test classes. */
  private Decision decision(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .computeIfAbsent(
            "with kubeconfig " + kubeconfig,
            key -> {
              Decision decision =
                  Decision.of(
                      kubeconfig,
                      System.getenv(Testbed.MODE),
                      () -> Testbed.ofThisCheckout().isBuilt());
              if (decision == Decision.SKIP) {
                System.err.println(
                    "[testbed] Tests on a real API server are skipped. " + Decision.HOW_TO_BUILD);
              }
              return decision;
            },
            Decision.class);
  }
}
