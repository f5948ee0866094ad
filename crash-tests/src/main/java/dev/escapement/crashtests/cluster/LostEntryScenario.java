package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.WriteBreakpoint;
import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Freezes an operator exactly before or after a write and removes the ledger entry of its execution, every second time
 * by force. Another operator processes a second request for the same target before the first operator continues.
 */
final class LostEntryScenario {

    /** On a busy machine an execution takes long to reach its last write. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    /** The steps after which an execution has something to lose. */
    private static final List<ExecutionStep> STEPS =
            List.of(ExecutionStep.ACQUIRE, ExecutionStep.RECORD, ExecutionStep.START, ExecutionStep.END);

    private final ProxiedOperatorProcess first;
    private final ProxiedOperatorProcess second;
    private final ClusterLoad load;
    private final ExecutionClient executions;
    private final CrashTestWorkflows workflows;
    private final FaultCoverage coverage;
    private final List<FaultPoint> faults;
    private final Set<String> lostEntries = ConcurrentHashMap.newKeySet();
    private int attempts;

    LostEntryScenario(
            ProxiedOperatorProcess first,
            ProxiedOperatorProcess second,
            ClusterLoad load,
            CrashTestCluster cluster,
            FaultCoverage coverage,
            long seed) {
        this.first = first;
        this.second = second;
        this.load = load;
        this.executions = new ExecutionClient(cluster.admin());
        this.workflows = cluster.workflows();
        this.coverage = coverage;
        this.faults = FaultPoint.enumerate(STEPS, seed);
    }

    /** Returns the object names of the entries that were removed by force. */
    Set<String> lostEntries() {
        return lostEntries;
    }

    void run(int removals) throws InterruptedException {
        for (int removal = 0; removal < removals; removal++) {
            FaultPoint fault = faults.get(removal % faults.size());
            boolean forced = removal % 2 == 0;
            String name = "ledger entry %s %s".formatted(forced ? "removed by force" : "deleted", fault);
            coverage.tryFault(name, () -> removeAt(fault, forced));
        }
    }

    private boolean removeAt(FaultPoint fault, boolean forced) throws InterruptedException {
        int number = attempts++;
        String target = "shop/deployment/lost-%d".formatted(number);
        Workload slow = workflows.createSucceeding(fault.engine(), "2s");
        Workload other = workflows.createSucceeding(fault.engine().other(), "2s");
        ExecutionRequest request = new ExecutionRequest("team-a", "loser-" + number, "scale", slow, target);
        ExecutionRequest rival = new ExecutionRequest("team-b", "rival-" + number, "restart", other, target);
        String entry = Target.parse(target).objectName();
        second.freeze();
        try {
            WriteBreakpoint breakpoint = new WriteBreakpoint(
                    fault.step(),
                    fault.moment(),
                    call -> call.mentions(request.name()) || call.mentions(entry),
                    first::freeze);
            first.proxy().set(breakpoint);
            load.create(request);
            boolean hit = breakpoint.await(TIMEOUT);
            if (forced) {
                lostEntries.add(entry);
                executions.removeEntryByForce(entry);
            } else {
                executions.deleteEntry(entry);
            }
            load.create(rival);
            second.thaw();
            waitFor(() -> !executions.phase(rival.namespace(), rival.name()).equals("Pending"));
            first.thaw();
            breakpoint.resume();
            waitFor(() -> isFinished(request) && isFinished(rival));
            return hit;
        } finally {
            first.thaw();
            second.thaw();
        }
    }

    private boolean isFinished(ExecutionRequest request) {
        return ExecutionClient.isFinished(executions.phase(request.namespace(), request.name()));
    }

    /** Continues after a timeout too: the judge finds executions that did not finish. */
    private static void waitFor(BooleanSupplier condition) {
        var unused = ConditionPoller.isTrueWithin(TIMEOUT, condition::getAsBoolean);
    }
}
