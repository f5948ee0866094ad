package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.Moment;
import dev.escapement.benchmarks.clustercrash.proxy.Step;
import dev.escapement.benchmarks.clustercrash.proxy.Trap;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The operator is killed, and started again at once: before and after each write in turn, and at any other moment. */
final class Kills {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ONE_IN = 5;

    private final OperatorProcess operator;
    private final SplittableRandom random;
    private final Map<String, Integer> moments = new TreeMap<>();

    Kills(OperatorProcess operator, long seed) {
        this.operator = operator;
        this.random = new SplittableRandom(seed);
    }

    void run(int kills, Consumer<String> say) throws InterruptedException {
        int aimed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            if (kill % ONE_IN == 0) {
                Wait.pause(Duration.ofMillis(random.nextLong(4_000)));
                operator.kill();
                count("at any moment");
            } else {
                aim(aimed++);
            }
            operator.restart();
            if (kill % 10 == 0) {
                say.accept("  %d of %d kills".formatted(kill, kills));
            }
        }
        say.accept("  killed " + moments);
    }

    private void aim(int number) throws InterruptedException {
        Step step = Step.WRITES.get(number % Step.WRITES.size());
        Moment moment = number / Step.WRITES.size() % 2 == 0 ? Moment.BEFORE : Moment.AFTER;
        Trap trap = new Trap(step, moment, call -> true, operator::kill);
        trap.drop();
        operator.proxy().set(trap);
        if (trap.await(PATIENCE)) {
            count("%s %s".formatted(moment, step).toLowerCase(java.util.Locale.ROOT));
        } else {
            operator.kill();
            count("at any moment");
        }
    }

    private void count(String moment) {
        moments.merge(moment, 1, Integer::sum);
    }
}
