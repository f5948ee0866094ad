package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.Executions.Wish;
import dev.escapement.benchmarks.clustercrash.proxy.Call;
import dev.escapement.benchmarks.clustercrash.proxy.Moment;
import dev.escapement.benchmarks.clustercrash.proxy.Step;
import dev.escapement.benchmarks.clustercrash.proxy.Trap;
import dev.escapement.governor.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An operator hangs exactly before or after a write. Another one finishes its work, and a third request is at work on
 * the same target when the first operator goes on with what it had in mind.
 */
final class Stops {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String NAMESPACE = "team-a";

    private record Case(Step step, Moment moment) {}

    private final OperatorProcess first;
    private final OperatorProcess second;
    private final Load load;
    private final Executions executions;
    private final String quick;
    private final String slow;
    private final SplittableRandom random;
    private final Map<String, Integer> counts = new TreeMap<>();

    Stops(OperatorProcess first, OperatorProcess second, Load load, Stage stage, long seed) {
        this.first = first;
        this.second = second;
        this.load = load;
        this.executions = new Executions(stage.admin());
        this.quick = stage.bundles().good("200ms");
        this.slow = stage.bundles().good("2s");
        this.random = new SplittableRandom(seed);
    }

    void run(int stops, Consumer<String> say) throws InterruptedException {
        List<Case> cases = new ArrayList<>();
        for (Step step : Step.WRITES) {
            cases.add(new Case(step, Moment.BEFORE));
            cases.add(new Case(step, Moment.AFTER));
        }
        cases.add(new Case(Step.SKIP, Moment.BEFORE));
        cases.add(new Case(Step.SKIP, Moment.AFTER));
        int offset = random.nextInt(cases.size());
        for (int stop = 0; stop < stops; stop++) {
            // Steps that have no factor in common with the number of cases: every case comes, far ones after each
            // other.
            play(cases.get((offset + stop * 3) % cases.size()), stop);
        }
        say.accept("  stopped " + counts);
    }

    private void play(Case kind, int number) throws InterruptedException {
        String target = "shop/deployment/stopped-%d".formatted(number);
        Wish before = new Wish(NAMESPACE, "before-" + number, "scale", slow, target);
        Wish wish = new Wish("team-b", "stopped-" + number, "restart", quick, target);
        Wish third = new Wish("team-c", "third-" + number, "scale", slow, target);
        String name = Target.parse(target).objectName();
        second.freeze();
        try {
            if (kind.step() == Step.SKIP) {
                load.create(before);
                await(() -> executions.phase(before.namespace(), before.name()).equals("Running"));
            }
            Trap trap = new Trap(kind.step(), kind.moment(), call -> concerns(call, wish, name), first::freeze);
            first.proxy().set(trap);
            String uid = load.create(wish);
            boolean caught = trap.await(PATIENCE);
            count(caught ? "%s %s".formatted(kind.moment(), kind.step()).toLowerCase(Locale.ROOT) : "nowhere");
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

    private void count(String where) {
        counts.merge(where, 1, Integer::sum);
    }
}
