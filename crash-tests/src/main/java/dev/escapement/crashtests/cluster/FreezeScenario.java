package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.CrashTestWorkflows.Workload;
import dev.escapement.crashtests.cluster.ExecutionClient.ExecutionRequest;
import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.ProxiedRequest;
import dev.escapement.crashtests.cluster.proxy.WriteBreakpoint;
import dev.escapement.crashtests.kit.CrashTestWait;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * An operator hangs exactly before or after a write. Another one finishes its work, and a third request is at work on
 * the same target when the first operator goes on with what it had in mind.
 */
final class FreezeScenario {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
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
            CrashTestCluster stage,
            FaultCoverage coverage,
            long seed) {
        this.first = first;
        this.second = second;
        this.load = load;
        this.executions = new ExecutionClient(stage.admin());
        this.workflows = stage.workflows();
        this.coverage = coverage;
        this.faults = FaultPoint.enumerate(STEPS, seed);
        this.random = new SplittableRandom(seed);
    }

    void run(int stops) throws InterruptedException {
        for (int stop = 0; stop < stops; stop++) {
            FaultPoint fault = faults.get(stop % faults.size());
            coverage.tryFault("stopped " + fault, () -> freezeAt(fault));
        }
    }

    private boolean freezeAt(FaultPoint fault) throws InterruptedException {
        int number = attempts++;
        String target = "shop/deployment/stopped-%d".formatted(number);
        Workload quick = workflows.createSucceeding(fault.engine(), "200ms");
        // By another engine: a target is one target, whatever works on it.
        Workload slow = workflows.createSucceeding(fault.engine().other(), "2s");
        ExecutionRequest before = new ExecutionRequest("team-a", "before-" + number, "scale", slow, target);
        ExecutionRequest wish = new ExecutionRequest("team-b", "stopped-" + number, "restart", quick, target);
        ExecutionRequest third = new ExecutionRequest("team-c", "third-" + number, "scale", slow, target);
        String name = Target.parse(target).objectName();
        second.freeze();
        try {
            if (fault.step() == ExecutionStep.SKIP) {
                load.create(before);
                waitFor(() ->
                        executions.phase(before.namespace(), before.name()).equals("Running"));
            }
            WriteBreakpoint trap =
                    new WriteBreakpoint(fault.step(), fault.moment(), call -> isAbout(call, wish, name), first::freeze);
            first.proxy().set(trap);
            String uid = load.create(wish);
            boolean caught = trap.await(TIMEOUT);
            if (!caught) {
                first.dumpThreads();
            }
            second.thaw();
            if (caught && random.nextInt(3) == 0) {
                load.delete(wish, uid);
            }
            waitFor(() -> ExecutionClient.isFinished(executions.phase(wish.namespace(), wish.name())));
            CrashTestWait.sleep(CrashTestCluster.COOLDOWN);
            load.create(third);
            waitFor(() -> !executions.phase(third.namespace(), third.name()).equals("Pending"));
            first.thaw();
            trap.resume();
            waitFor(() -> ExecutionClient.isFinished(executions.phase(third.namespace(), third.name())));
            return caught;
        } finally {
            first.thaw();
            second.thaw();
        }
    }

    private static boolean isAbout(ProxiedRequest call, ExecutionRequest wish, String target) {
        return call.mentions(wish.name()) || call.mentions(target);
    }

    /** Whether it happened is for the judge to say. */
    private static void waitFor(BooleanSupplier condition) {
        var unused = CrashTestWait.waitUntil(condition, TIMEOUT);
    }
}
