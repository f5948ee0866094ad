package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.WriteBreakpoint;
import dev.escapement.testkit.ConditionPoller;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Kills and restarts the operator: before and after each write, and every fifth time at a random moment. */
final class KillScenario {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int RANDOM_KILL_EVERY = 5;

    private final ProxiedOperatorProcess operator;
    private final SplittableRandom random;
    private final List<FaultPoint> faults;
    private final FaultCoverage coverage;

    KillScenario(ProxiedOperatorProcess operator, FaultCoverage coverage, long seed) {
        this.operator = operator;
        this.coverage = coverage;
        this.random = new SplittableRandom(seed);
        this.faults = FaultPoint.enumerate(ExecutionStep.WRITES, seed);
    }

    void run(int kills, Consumer<String> progress) throws InterruptedException {
        int planned = 0;
        for (int kill = 1; kill <= kills; kill++) {
            if (kill % RANDOM_KILL_EVERY == 0) {
                ConditionPoller.sleep(Duration.ofMillis(random.nextLong(4_000)));
                operator.kill();
                operator.restart();
                coverage.addInjected("killed at a random moment");
            } else {
                FaultPoint fault = faults.get(planned++ % faults.size());
                coverage.tryFault("killed " + fault, () -> killAt(fault));
            }
            if (kill % 10 == 0) {
                progress.accept("  %d of %d kills".formatted(kill, kills));
            }
        }
    }

    private boolean killAt(FaultPoint fault) throws InterruptedException {
        WriteBreakpoint breakpoint = new WriteBreakpoint(fault.step(), fault.moment(), fault::matches, operator::kill);
        breakpoint.abort();
        operator.proxy().set(breakpoint);
        boolean hit = breakpoint.await(TIMEOUT);
        if (!hit) {
            // A restarted operator has more writes to make.
            operator.kill();
        }
        operator.restart();
        return hit;
    }
}
