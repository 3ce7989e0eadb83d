package dev.waymark.cli.history;

import dev.waymark.trainer.api.TrainerStatus.Metric;
import java.util.List;

/**
 * All that is known of a run.
 *
 * @param metrics the last report's, in its order
 */
public record RunDetail(RunSummary summary, List<Metric> metrics, RunCurves curves) {}
