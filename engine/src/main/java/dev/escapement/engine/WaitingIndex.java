package dev.escapement.engine;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The executions that wait for a target, in memory: what to decide again when the target changes. Which of them goes
 * first is decided by the gate ({@link GateRequest}). Thread-safe.
 *
 * <p>No wake-up is lost if an execution is added before it is decided: whoever changes the target afterwards finds it
 * here, and whoever changed it before is seen by the decision.
 */
public final class WaitingIndex {

    private final Map<Target, Map<String, GateRequest>> requestsByTarget = new HashMap<>();
    private final Map<String, Target> targetsByUid = new HashMap<>();

    /** Adds an execution if it may wait, and removes it if not. Returns whether it was removed. */
    public synchronized boolean update(Execution execution) {
        String uid = execution.ref().uid();
        Optional<Target> target = Target.tryParse(execution.spec().targetResource());
        if (!execution.isWaiting() || target.isEmpty()) {
            return remove(uid);
        }
        targetsByUid.put(uid, target.get());
        requestsByTarget
                .computeIfAbsent(target.get(), first -> new HashMap<>())
                .put(uid, execution.gateRequest(target.get()));
        return false;
    }

    /** Removes an execution. Returns whether it was there. */
    public synchronized boolean remove(String uid) {
        Target target = targetsByUid.remove(uid);
        if (target == null) {
            return false;
        }
        requestsByTarget.computeIfPresent(target, (same, requests) -> {
            requests.remove(uid);
            return requests.isEmpty() ? null : requests;
        });
        return true;
    }

    public synchronized boolean contains(String uid) {
        return targetsByUid.containsKey(uid);
    }

    /** Returns the requests of the executions that wait for a target, in any order. */
    public synchronized List<GateRequest> requests(Target target) {
        return List.copyOf(requestsByTarget.getOrDefault(target, Map.of()).values());
    }

    /** Returns the executions that may be admitted after a change of a target. */
    public synchronized List<ExecutionRef> candidates(Target target) {
        return candidates(requestsByTarget.getOrDefault(target, Map.of()).values());
    }

    /** Returns the executions that may be admitted after a change of every target. */
    public synchronized List<ExecutionRef> allCandidates() {
        return requestsByTarget.values().stream()
                .flatMap(requests -> candidates(requests.values()).stream())
                .toList();
    }

    private static List<ExecutionRef> candidates(Collection<GateRequest> requests) {
        return GateRequest.oldestOfEachWorkflow(requests).stream()
                .map(GateRequest::execution)
                .toList();
    }
}
