package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.Step;
import dev.escapement.benchmarks.clustercrash.proxy.Trap;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The operator is killed, and started again at once: before and after each write in turn, and at any other moment. */
final class Kills {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ONE_IN = 5;

    private final OperatorProcess operator;
    private final SplittableRandom random;
    private final List<Fault> faults;
    private final Coverage coverage;

    Kills(OperatorProcess operator, Coverage coverage, long seed) {
        this.operator = operator;
        this.coverage = coverage;
        this.random = new SplittableRandom(seed);
        this.faults = Fault.of(Step.WRITES, seed);
    }

    void run(int kills, Consumer<String> say) throws InterruptedException {
        int aimed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            if (kill % ONE_IN == 0) {
                Wait.pause(Duration.ofMillis(random.nextLong(4_000)));
                operator.kill();
                operator.restart();
                coverage.made("killed at any moment");
            } else {
                Fault fault = faults.get(aimed++ % faults.size());
                coverage.make("killed " + fault, () -> hits(fault));
            }
            if (kill % 10 == 0) {
                say.accept("  %d of %d kills".formatted(kill, kills));
            }
        }
    }

    private boolean hits(Fault fault) throws InterruptedException {
        Trap trap = new Trap(fault.step(), fault.moment(), fault::mayConcern, operator::kill);
        trap.drop();
        operator.proxy().set(trap);
        boolean sprung = trap.await(PATIENCE);
        if (!sprung) {
            // The next one may have more to do.
            operator.kill();
        }
        operator.restart();
        return sprung;
    }
}
