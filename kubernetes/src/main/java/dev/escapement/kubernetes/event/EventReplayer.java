package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Publishes the transitions that follow from the stored state: those of other writers, and those that were not
 * published because of a crash. It goes back only as far as Events live, because an older one may have existed and
 * expired.
 *
 * @param publisher must not block or throw, and publishes nothing twice
 */
public record EventReplayer(
        ResourceCache<WorkflowExecutionResource> executions,
        ResourceCache<RemediationTargetResource> targets,
        Consumer<Transition> publisher,
        InstantSource clock) {

    private static final String UNKNOWN_ACTOR = "an unknown user of the API server";

    /** Starts publishing what the informers deliver, after the transitions that were missed. Only the leader does. */
    public void start() {
        executions.onAdd(this::onExecutionChanged);
        executions.onUpdate((before, after) -> onExecutionChanged(after));
        executions.onDelete(this::onExecutionDeleted);
        targets.onUpdate((before, after) ->
                before.readValid().ifPresent(old -> after.readValid().ifPresent(now -> onTargetReplaced(old, now))));
        targets.onDelete(this::onTargetDeleted);
        replayAll();
    }

    /** Publishes all transitions that follow from the stored state; the publisher skips those that it published. */
    public void replayAll() {
        executions.all().flatMap(resource -> read(resource).stream()).forEach(execution -> {
            publishHistory(execution);
            publishRelease(execution);
        });
        targets.all()
                .flatMap(resource -> resource.readValid().stream())
                .forEach(entry -> recentClearance(entry).ifPresent(publisher));
    }

    private void onExecutionChanged(WorkflowExecutionResource resource) {
        read(resource).ifPresent(this::publishHistory);
    }

    private void onExecutionDeleted(WorkflowExecutionResource resource) {
        read(resource)
                .flatMap(execution -> Transition.of(new StoreWrite.Deletion(
                        new Versioned<>(execution, Versioned.ABSENT), UNKNOWN_ACTOR, clock.instant())))
                .ifPresent(publisher);
    }

    /** The writer of the change publishes it too, unless it never received the response to its write. */
    private void onTargetReplaced(LedgerEntry before, LedgerEntry after) {
        if (!after.clearance().equals(before.clearance())) {
            recentClearance(after).ifPresent(publisher);
        }
        if (before instanceof Held held
                && after.heldBy(held.holder().execution()).isEmpty()) {
            publishRelease(held, statusOf(held));
        }
    }

    /**
     * A release that leaves no history deletes the entry. If the holder is still running, the entry was deleted by hand
     * and will be restored.
     */
    private void onTargetDeleted(RemediationTargetResource resource) {
        if (resource.readValid().orElse(null) instanceof Held held) {
            Optional<ExecutionStatus> status = statusOf(held);
            if (status.isEmpty() || status.get() instanceof ExecutionStatus.Final) {
                publishRelease(held, status);
            }
        }
    }

    /** The time is now if the final status of the holder has not arrived yet or the holder was deleted. */
    private void publishRelease(Held before, Optional<ExecutionStatus> status) {
        Instant at = status.orElse(null) instanceof ExecutionStatus.Final finished
                ? finished.completionTime()
                : clock.instant();
        TransitionHistory.lockRelease(before, at).ifPresent(publisher);
    }

    private Optional<ExecutionStatus> statusOf(Held held) {
        var ref = held.holder().execution();
        return executions
                .get(ref.namespace(), ref.name(), ref.uid())
                .flatMap(EventReplayer::read)
                .map(Execution::status);
    }

    private void publishHistory(Execution execution) {
        TransitionHistory.ofExecution(execution, clock.instant()).stream()
                .filter(this::isRecent)
                .forEach(publisher);
    }

    private void publishRelease(Execution execution) {
        Target.tryParse(execution.spec().targetResource())
                .flatMap(target -> TransitionHistory.lockRelease(
                        execution,
                        targets.get("", target.objectName())
                                .flatMap(RemediationTargetResource::readValid)
                                .orElseGet(() -> LedgerEntry.initial(target))))
                .filter(this::isRecent)
                .ifPresent(publisher);
    }

    /** Returns the last clearance of a target if its Event can still exist. */
    public Optional<Transition> recentClearance(LedgerEntry entry) {
        return TransitionHistory.clearance(entry).filter(this::isRecent);
    }

    private boolean isRecent(Transition transition) {
        return EventMapper.isWithinLifetime(transition, clock.instant());
    }

    private static Optional<Execution> read(WorkflowExecutionResource resource) {
        return resource.readValid().map(Versioned::value);
    }
}
