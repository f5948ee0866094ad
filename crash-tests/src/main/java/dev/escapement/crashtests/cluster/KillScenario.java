package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.WriteBreakpoint;
import dev.escapement.crashtests.kit.CrashTestWait;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The operator is killed, and started again at once: before and after each write in turn, and at any other moment. */
final class KillScenario {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
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

    void run(int kills, Consumer<String> say) throws InterruptedException {
        int aimed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            if (kill % RANDOM_KILL_EVERY == 0) {
                CrashTestWait.sleep(Duration.ofMillis(random.nextLong(4_000)));
                operator.kill();
                operator.restart();
                coverage.made("killed at any moment");
            } else {
                FaultPoint fault = faults.get(aimed++ % faults.size());
                coverage.tryFault("killed " + fault, () -> killAt(fault));
            }
            if (kill % 10 == 0) {
                say.accept("  %d of %d kills".formatted(kill, kills));
            }
        }
    }

    private boolean killAt(FaultPoint fault) throws InterruptedException {
        WriteBreakpoint trap = new WriteBreakpoint(fault.step(), fault.moment(), fault::matches, operator::kill);
        trap.abort();
        operator.proxy().set(trap);
        boolean sprung = trap.await(TIMEOUT);
        if (!sprung) {
            // The next one may have more to do.
            operator.kill();
        }
        operator.restart();
        return sprung;
    }
}
