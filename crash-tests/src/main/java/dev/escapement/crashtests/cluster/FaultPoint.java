package dev.escapement.crashtests.cluster;

import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.FaultMoment;
import dev.escapement.crashtests.cluster.proxy.ProxiedRequest;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A moment before or after a write at which a fault is injected.
 *
 * @param engine of the run that the write concerns
 */
record FaultPoint(ExecutionStep step, FaultMoment moment, RunEngine engine) {

    /**
     * Returns every step, before and after, with alternating engines; and then all of them again with the other engine.
     *
     * @param seed selects the first engine and where the list begins
     */
    static List<FaultPoint> enumerate(List<ExecutionStep> steps, long seed) {
        List<FaultPoint> all = new ArrayList<>();
        for (int round = 0; round < RunEngine.values().length; round++) {
            long offset = seed + round;
            for (FaultMoment moment : FaultMoment.values()) {
                for (int i = 0; i < steps.size(); i++) {
                    all.add(new FaultPoint(steps.get(i), moment, RunEngine.alternate(offset + i)));
                }
                offset++;
            }
        }
        Collections.rotate(all, (int) Math.floorMod(seed, (long) all.size()));
        return List.copyOf(all);
    }

    /** Returns whether the write concerns a run of the engine. A write that names no run matches every engine. */
    boolean matches(ProxiedRequest call) {
        return RunEngine.of(call).map(engine::equals).orElse(true);
    }

    @Override
    public String toString() {
        String write = "%s %s".formatted(moment, step).toLowerCase(Locale.ROOT);
        return step == ExecutionStep.RELEASE ? write : "%s (%s)".formatted(write, engine.wireName());
    }
}
