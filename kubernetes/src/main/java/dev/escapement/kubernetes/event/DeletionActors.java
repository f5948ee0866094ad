package dev.escapement.kubernetes.event;

import dev.escapement.common.BoundedMap;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers who deletes executions through this process: the watch reports a deletion without a name, and may do so
 * before the response to the request arrives. Thread-safe.
 */
public final class DeletionActors {

    private static final int MAX_REMEMBERED = 1_000;

    private final Map<String, String> actorsByUid = new BoundedMap<>(MAX_REMEMBERED);

    /** Records a deletion that is about to be requested. */
    synchronized void add(ExecutionRef execution, String actor) {
        actorsByUid.put(execution.uid(), actor);
    }

    /** Forgets a deletion that was refused. */
    synchronized void remove(ExecutionRef execution) {
        actorsByUid.remove(execution.uid());
    }

    synchronized Optional<String> find(ExecutionRef execution) {
        return Optional.ofNullable(actorsByUid.get(execution.uid()));
    }
}
