package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.Bundles.Work;
import dev.escapement.benchmarks.clustercrash.Executions.Wish;
import dev.escapement.benchmarks.clustercrash.proxy.Call;
import dev.escapement.benchmarks.clustercrash.proxy.Step;
import dev.escapement.benchmarks.clustercrash.proxy.Trap;
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
final class Stops {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final List<Step> STEPS =
            Stream.concat(Step.WRITES.stream(), Stream.of(Step.SKIP)).toList();

    private final OperatorProcess first;
    private final OperatorProcess second;
    private final Load load;
    private final Executions executions;
    private final Bundles bundles;
    private final Coverage coverage;
    private final List<Fault> faults;
    private final SplittableRandom random;
    private int played;

    Stops(OperatorProcess first, OperatorProcess second, Load load, Stage stage, Coverage coverage, long seed) {
        this.first = first;
        this.second = second;
        this.load = load;
        this.executions = new Executions(stage.admin());
        this.bundles = stage.bundles();
        this.coverage = coverage;
        this.faults = Fault.of(STEPS, seed);
        this.random = new SplittableRandom(seed);
    }

    void run(int stops) throws InterruptedException {
        for (int stop = 0; stop < stops; stop++) {
            Fault fault = faults.get(stop % faults.size());
            coverage.make("stopped " + fault, () -> hits(fault));
        }
    }

    private boolean hits(Fault fault) throws InterruptedException {
        int number = played++;
        String target = "shop/deployment/stopped-%d".formatted(number);
        Work quick = bundles.good(fault.engine(), "200ms");
        // By another engine: a target is one target, whatever works on it.
        Work slow = bundles.good(fault.engine().other(), "2s");
        Wish before = new Wish("team-a", "before-" + number, "scale", slow, target);
        Wish wish = new Wish("team-b", "stopped-" + number, "restart", quick, target);
        Wish third = new Wish("team-c", "third-" + number, "scale", slow, target);
        String name = Target.parse(target).objectName();
        second.freeze();
        try {
            if (fault.step() == Step.SKIP) {
                load.create(before);
                await(() -> executions.phase(before.namespace(), before.name()).equals("Running"));
            }
            Trap trap = new Trap(fault.step(), fault.moment(), call -> concerns(call, wish, name), first::freeze);
            first.proxy().set(trap);
            String uid = load.create(wish);
            boolean caught = trap.await(PATIENCE);
            if (!caught) {
                first.examine();
            }
            second.thaw();
            if (caught && random.nextInt(3) == 0) {
                load.delete(wish, uid);
            }
            await(() -> Executions.isOver(executions.phase(wish.namespace(), wish.name())));
            Wait.pause(Stage.COOLDOWN);
            load.create(third);
            await(() -> !executions.phase(third.namespace(), third.name()).equals("Pending"));
            first.thaw();
            trap.release();
            await(() -> Executions.isOver(executions.phase(third.namespace(), third.name())));
            return caught;
        } finally {
            first.thaw();
            second.thaw();
        }
    }

    private static boolean concerns(Call call, Wish wish, String target) {
        return call.mentions(wish.name()) || call.mentions(target);
    }

    /** Whether it happened is for the judge to say. */
    private static void await(BooleanSupplier condition) {
        var unused = Wait.until(condition, PATIENCE);
    }
}
