package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.ProxiedRequest;
import dev.escapement.crashtests.cluster.proxy.WriteBreakpoint;
import dev.escapement.governor.Target;
import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Freezes an operator exactly before or after a write. Another operator finishes the execution, and a third request
 * runs on the same target when the first operator continues with its next write.
 */
final class FreezeScenario {

    /** On a busy machine an execution takes long to reach its last write. */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final List<ExecutionStep> STEPS = Stream.concat(
                    ExecutionStep.WRITES.stream(), Stream.of(ExecutionStep.SKIP))
            .toList();

    private final ProxiedOperatorProcess first;
    private final ProxiedOperatorProcess second;
    private final ClusterLoad load;
    private final ExecutionClient executions;
    private final CrashTestWorkflows workflows;
    private final FaultCoverage coverage;
    private final List<FaultPoint> faults;
    private final SplittableRandom random;
    private int attempts;

    FreezeScenario(
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
        this.random = new SplittableRandom(seed);
    }

    void run(int freezes) throws InterruptedException {
        for (int freeze = 0; freeze < freezes; freeze++) {
            FaultPoint fault = faults.get(freeze % faults.size());
            coverage.tryFault("frozen " + fault, () -> freezeAt(fault));
        }
    }

    private boolean freezeAt(FaultPoint fault) throws InterruptedException {
        int number = attempts++;
        String target = "shop/deployment/frozen-%d".formatted(number);
        Workload quick = workflows.createSucceeding(fault.engine(), "200ms");
        // With the other engine: a target has one holder, whatever the engine is.
        Workload slow = workflows.createSucceeding(fault.engine().other(), "2s");
        ExecutionRequest before = new ExecutionRequest("team-a", "before-" + number, "scale", slow, target);
        ExecutionRequest request = new ExecutionRequest("team-b", "frozen-" + number, "restart", quick, target);
        ExecutionRequest third = new ExecutionRequest("team-c", "third-" + number, "scale", slow, target);
        String name = Target.parse(target).objectName();
        second.freeze();
        try {
            if (fault.step() == ExecutionStep.SKIP) {
                load.create(before);
                waitFor(() ->
                        executions.phase(before.namespace(), before.name()).equals("Running"));
            }
            WriteBreakpoint breakpoint = new WriteBreakpoint(
                    fault.step(), fault.moment(), call -> concerns(call, request, name), first::freeze);
            first.proxy().set(breakpoint);
            String uid = load.create(request);
            boolean hit = breakpoint.await(TIMEOUT);
            if (!hit) {
                first.dumpThreads();
            }
            second.thaw();
            if (hit && random.nextInt(3) == 0) {
                load.delete(request, uid);
            }
            waitFor(() -> ExecutionClient.isFinished(executions.phase(request.namespace(), request.name())));
            ConditionPoller.sleep(CrashTestCluster.COOLDOWN);
            load.create(third);
            waitFor(() -> !executions.phase(third.namespace(), third.name()).equals("Pending"));
            first.thaw();
            breakpoint.resume();
            waitFor(() -> ExecutionClient.isFinished(executions.phase(third.namespace(), third.name())));
            return hit;
        } finally {
            first.thaw();
            second.thaw();
        }
    }

    private static boolean concerns(ProxiedRequest call, ExecutionRequest request, String target) {
        return call.mentions(request.name()) || call.mentions(target);
    }

    /** Continues after a timeout too: the judge finds executions that did not finish. */
    private static void waitFor(BooleanSupplier condition) {
        var unused = ConditionPoller.isTrueWithin(TIMEOUT, condition::getAsBoolean);
    }
}
