package dev.escapement.governor.model;

import dev.escapement.governor.gate.Gate;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.gate.GateRequest.WaitTerms;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.ModelValues.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Models requests that wait: the order of their age is that of their numbers. Time passes only as the end of the time
 * that a request may wait, which may come at any moment.
 */
final class WaitModel {

    private static final Duration TIME_TO_WAIT = Duration.ofMinutes(10);

    private final ProtocolMutant mutant;
    private final Map<Long, GateDecision> decisions = new HashMap<>();

    WaitModel(ProtocolMutant mutant) {
        this.mutant = mutant;
    }

    /** Adds the end of the time to wait of every execution that is not decided. */
    void addExpirySteps(ModelState state, BiConsumer<String, ModelState> next) {
        for (int e = 0; e < state.executions(); e++) {
            if (state.status(e).phase() == Phase.PENDING && !state.truth.isExpired(e)) {
                next.accept("the time to wait of %d is over".formatted(e), state.withTruth(state.truth.withExpired(e)));
            }
        }
    }

    /**
     * Decides an execution. The others that wait are read from a cache of any age: it may show one that has ended as
     * waiting, but it never misses one that waits.
     */
    GateDecision decide(ModelState state, int e, LedgerEntry entry, boolean stale) {
        int waiting = 0;
        for (int other = 0; other < state.executions(); other++) {
            boolean seen = stale || state.status(other).phase() == Phase.PENDING;
            waiting |= seen && mutant != ProtocolMutant.QUEUE_IGNORED ? 1 << other : 0;
        }
        int expired = mutant == ProtocolMutant.DEADLINE_IGNORED ? 0 : state.truth.expired();
        long key = ((long) state.values.entries.indexOf(entry) << 24) | (e << 16) | (waiting << 8) | expired;
        int queue = waiting;
        return decisions.computeIfAbsent(key, fresh -> decide(e, entry, queue, expired));
    }

    private static GateDecision decide(int e, LedgerEntry entry, int waiting, int expired) {
        List<GateRequest> queue = IntStream.range(0, Integer.SIZE)
                .filter(other -> ((waiting >> other) & 1) == 1)
                .mapToObj(other -> request(other, expired))
                .toList();
        return Gate.decide(
                new GateInput(request(e, expired), entry, ControllerModel.POLICY, ControllerModel.NOW, queue));
    }

    private static GateRequest request(int execution, int expired) {
        GateRequest request = ControllerModel.request(execution);
        boolean over = ((expired >> execution) & 1) == 1;
        return new GateRequest(
                request.execution(),
                request.workflow(),
                request.target(),
                ControllerModel.NOW.plusSeconds(execution),
                Optional.of(new WaitTerms(over ? ControllerModel.NOW : ControllerModel.NOW.plus(TIME_TO_WAIT), false)));
    }

    /** Returns the state after an admission, with the violation if its time was over. */
    static ModelState checkDeadline(ModelState state, int e) {
        return state.truth.isExpired(e)
                ? state.withTruth(
                        state.truth.withViolation("execution %d was admitted after its deadline".formatted(e)))
                : state;
    }

    /** Returns the state after a commit, with the violation if an older execution waits that could have run. */
    static ModelState checkOrder(ModelState before, ModelState after, int e, LedgerEntry acquired) {
        for (int older = 0; older < e; older++) {
            boolean waits = before.status(older).phase() == Phase.PENDING && !before.truth.isExpired(older);
            if (waits
                    && Gate.decide(
                                    ControllerModel.request(older),
                                    acquired,
                                    ControllerModel.POLICY,
                                    ControllerModel.NOW)
                            instanceof GateDecision.Admit) {
                return after.withTruth(
                        after.truth.withViolation("execution %d overtook execution %d".formatted(e, older)));
            }
        }
        return after;
    }
}
