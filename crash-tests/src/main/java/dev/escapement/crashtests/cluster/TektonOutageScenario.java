package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.judge.RevisionRange;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import dev.escapement.crashtests.kit.EscapementApiClient;
import dev.escapement.testkit.ConditionPoller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Stops Tekton's webhook, then its controller, under load. During each outage the operator is killed, and executions
 * are requested, cancelled and deleted; afterwards an execution must run again.
 */
final class TektonOutageScenario {

    private static final Duration EXECUTOR_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final String ACTOR = "executor-outage";

    private final ProxiedOperatorProcess operator;
    private final ClusterLoad load;
    private final CrashTestCluster cluster;
    private final ExecutionClient executions;
    private final FaultCoverage coverage;
    private final Workload quick;
    private final Workload endless;
    private final List<RevisionRange> outages = new ArrayList<>();
    private int count;

    TektonOutageScenario(
            ProxiedOperatorProcess operator, ClusterLoad load, CrashTestCluster cluster, FaultCoverage coverage) {
        this.operator = operator;
        this.load = load;
        this.cluster = cluster;
        this.executions = new ExecutionClient(cluster.admin());
        this.coverage = coverage;
        this.quick = cluster.workflows().createSucceeding(RunEngine.TEKTON, "200ms");
        this.endless = cluster.workflows().createSucceeding(RunEngine.TEKTON, "10m");
    }

    /** Returns when an executor was away, and shortly after: then the operator may remove runs that do not stop. */
    List<RevisionRange> outages() {
        return List.copyOf(outages);
    }

    void run() throws InterruptedException {
        cluster.setExecutorTimeout(EXECUTOR_TIMEOUT);
        coverage.tryFault("Tekton's webhook away", () -> endureOutage(cluster.cluster()::setTektonWebhookRunning));
        coverage.tryFault(
                "Tekton's controller away", () -> endureOutage(cluster.cluster()::setTektonControllerRunning));
        cluster.setExecutorTimeout(CrashTestCluster.EXECUTOR_TIMEOUT);
    }

    private boolean endureOutage(Consumer<Boolean> running) throws InterruptedException {
        long start = cluster.revision();
        ExecutionRequest cancelled = request("cancelled", endless);
        ExecutionRequest deleted = request("deleted", endless);
        String cancelledUid = load.create(cancelled);
        String deletedUid = load.create(deleted);
        boolean began = isTrueSoon(() -> hasPhase(cancelled, "Running") && hasPhase(deleted, "Running"));
        running.accept(false);
        ExecutionRequest refused = request("refused", quick);
        boolean ended;
        try {
            load.create(refused);
            operator.kill();
            operator.restart();
            load.delete(deleted, deletedUid);
            ended = isTrueSoon(() -> cancel(cancelled))
                    && isTrueSoon(() -> executions.hasFailedBeforeStart(refused.namespace(), refused.name()))
                    && isTrueSoon(() -> hasPhase(cancelled, "Failed") && hasPhase(deleted, "Gone"));
        } finally {
            running.accept(true);
        }
        if (!ended) {
            // Otherwise it would run for longer than the test waits for it.
            load.delete(cancelled, cancelledUid);
        }
        boolean recovered = isTrueSoon(() -> runsAgain(refused));
        ConditionPoller.sleep(EXECUTOR_TIMEOUT.multipliedBy(2));
        outages.add(new RevisionRange(start, cluster.revision()));
        return began && ended && recovered;
    }

    private ExecutionRequest request(String name, Workload workload) {
        int number = count++;
        return new ExecutionRequest(
                "team-a", name + "-" + number, "restart", workload, "shop/deployment/outage-" + number);
    }

    /** Requests an execution on the same target; it is skipped while the target backs off. */
    private boolean runsAgain(ExecutionRequest before) {
        ExecutionRequest again = new ExecutionRequest(
                before.namespace(), "again-" + count++, before.workflow(), before.workload(), before.target());
        load.create(again);
        return isTrueSoon(() -> isFinished(again)) && hasPhase(again, "Completed");
    }

    private boolean cancel(ExecutionRequest request) throws InterruptedException {
        try {
            return new EscapementApiClient(operator.port(), ACTOR, REQUEST_TIMEOUT)
                    .cancel(request.namespace(), request.name());
        } catch (IOException restarting) {
            return false;
        }
    }

    private boolean hasPhase(ExecutionRequest request, String phase) {
        return executions.phase(request.namespace(), request.name()).equals(phase);
    }

    private boolean isFinished(ExecutionRequest request) {
        return ExecutionClient.isFinished(executions.phase(request.namespace(), request.name()));
    }

    private static boolean isTrueSoon(Callable<Boolean> condition) {
        return ConditionPoller.isTrueWithin(TIMEOUT, condition);
    }
}
