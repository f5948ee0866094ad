package dev.escapement.benchmarks.clustercrash;

import dev.escapement.benchmarks.clustercrash.proxy.Call;
import dev.escapement.benchmarks.clustercrash.proxy.Engine;
import dev.escapement.benchmarks.clustercrash.proxy.Moment;
import dev.escapement.benchmarks.clustercrash.proxy.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A place between two writes where something happens to an operator.
 *
 * @param engine of the run that the write is about
 */
record Fault(Step step, Moment moment, Engine engine) {

    /**
     * Every step, before and after, with one engine in turn; and then all of them again with the other engine.
     *
     * @param seed says which engine comes first
     */
    static List<Fault> of(List<Step> steps, long seed) {
        List<Fault> all = new ArrayList<>();
        for (int round = 0; round < Engine.values().length; round++) {
            long turn = seed + round;
            for (Moment moment : Moment.values()) {
                for (int i = 0; i < steps.size(); i++) {
                    all.add(new Fault(steps.get(i), moment, Engine.inTurn(turn + i)));
                }
                turn++;
            }
        }
        return List.copyOf(all);
    }

    /** Whether the write is about a run of that engine. One that names no run may be about any. */
    boolean mayConcern(Call call) {
        return Engine.of(call).map(engine::equals).orElse(true);
    }

    @Override
    public String toString() {
        String write = "%s %s".formatted(moment, step).toLowerCase(Locale.ROOT);
        return step == Step.RELEASE ? write : "%s (%s)".formatted(write, engine.word());
    }
}
