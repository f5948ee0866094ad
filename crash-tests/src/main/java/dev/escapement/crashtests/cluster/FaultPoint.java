package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.FaultMoment;
import dev.escapement.crashtests.cluster.proxy.ProxiedRequest;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A place between two writes where something happens to an operator.
 *
 * @param engine of the run that the write is about
 */
record FaultPoint(ExecutionStep step, FaultMoment moment, RunEngine engine) {

    /**
     * Every step, before and after, with one engine in turn; and then all of them again with the other engine.
     *
     * @param seed says which engine comes first
     */
    static List<FaultPoint> enumerate(List<ExecutionStep> steps, long seed) {
        List<FaultPoint> all = new ArrayList<>();
        for (int round = 0; round < RunEngine.values().length; round++) {
            long turn = seed + round;
            for (FaultMoment moment : FaultMoment.values()) {
                for (int i = 0; i < steps.size(); i++) {
                    all.add(new FaultPoint(steps.get(i), moment, RunEngine.alternate(turn + i)));
                }
                turn++;
            }
        }
        return List.copyOf(all);
    }

    /** Whether the write is about a run of that engine. One that names no run may be about any. */
    boolean matches(ProxiedRequest call) {
        return RunEngine.of(call).map(engine::equals).orElse(true);
    }

    @Override
    public String toString() {
        String write = "%s %s".formatted(moment, step).toLowerCase(Locale.ROOT);
        return step == ExecutionStep.RELEASE ? write : "%s (%s)".formatted(write, engine.wireName());
    }
}
