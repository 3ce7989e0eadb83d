/**
 * The page of a cluster's TrainJobs. {@link dev.waymark.cli.cluster.dashboard.Dashboard} is the way
 * in.
 *
 * <pre>
 *   API server → TrainerClient.watchKeeping → ClusterWatch → Board ─ JobJson → PageServer → open pages
 *                                                       └ ReportHistory (curves)
 *   open pages → PageServer → DashboardPage → TrainerClient: events, suspend, resume; LogTail: logs
 * </pre>
 *
 * Who may see the page, and how it is kept up to date, is the {@code PageServer}'s, as with the
 * page of the local runner.
 */
package dev.waymark.cli.cluster.dashboard;
