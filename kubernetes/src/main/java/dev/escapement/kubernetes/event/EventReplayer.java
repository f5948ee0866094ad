package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Publishes the transitions that follow from the stored state: those of other writers, and those that were not
 * published because of a crash. It goes back only as far as Events live, because an older one may have existed and
 * expired.
 */
public final class EventReplayer {

    /** How long the API server keeps an Event. */
    static final Duration EVENT_LIFETIME = Duration.ofHours(1);

    private static final String UNKNOWN_ACTOR = "an unknown user of the API server";

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ResourceCache<RemediationTargetResource> targets;
    private final Consumer<Transition> publisher;
    private final InstantSource clock;
    private volatile boolean active;

    /** @param publisher must not block or throw, and publishes nothing twice */
    public EventReplayer(
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            Consumer<Transition> publisher,
            InstantSource clock) {
        this.executions = executions;
        this.targets = targets;
        this.publisher = publisher;
        this.clock = clock;
    }

    /** Registers with the informers; until {@link #start} their changes are ignored. */
    public void registerListeners() {
        executions.onAdd(this::onExecutionChanged);
        executions.onUpdate((before, after) -> onExecutionChanged(after));
        executions.onDelete(this::onExecutionDeleted);
        targets.onUpdate(this::onTargetReplaced);
        targets.onDelete(this::onTargetDeleted);
    }

    /** Starts publishing, first the transitions that were missed. */
    public void start() {
        active = true;
        replayAll();
    }

    /**
     * Publishes all transitions that follow from the stored state; those that were published are skipped by the
     * publisher.
     */
    public void replayAll() {
        if (active) {
            executions
                    .all()
                    .forEach(resource -> decode(resource).ifPresent(execution -> {
                        publishHistory(execution);
                        publishRelease(execution);
                    }));
            targets.all().forEach(this::publishClearance);
        }
    }

    private void onExecutionChanged(WorkflowExecutionResource resource) {
        if (active) {
            decode(resource).ifPresent(this::publishHistory);
        }
    }

    private void onExecutionDeleted(WorkflowExecutionResource resource) {
        if (active) {
            decode(resource)
                    .flatMap(execution -> Transition.of(new StoreWrite.Deletion(
                            new Versioned<>(execution, Versioned.ABSENT), UNKNOWN_ACTOR, clock.instant())))
                    .ifPresent(publisher);
        }
    }

    /** The writer of the change publishes it too, unless it never received the response to its write. */
    private void onTargetReplaced(RemediationTargetResource before, RemediationTargetResource after) {
        if (active) {
            decode(before).ifPresent(old -> decode(after).ifPresent(now -> onTargetReplaced(old, now)));
        }
    }

    private void onTargetReplaced(LedgerEntry before, LedgerEntry after) {
        if (!after.clearance().equals(before.clearance())) {
            recentClearance(after).ifPresent(publisher);
        }
        if (before instanceof Held held
                && after.heldBy(held.holder().execution()).isEmpty()) {
            publishRelease(held);
        }
    }

    /**
     * A release that leaves no history deletes the entry. If the holder is still running, the entry was deleted by hand
     * and will be restored.
     */
    private void onTargetDeleted(RemediationTargetResource resource) {
        if (active) {
            decode(resource)
                    .filter(Held.class::isInstance)
                    .map(Held.class::cast)
                    .filter(before -> !isRunning(before.holder().execution()))
                    .ifPresent(this::publishRelease);
        }
    }

    private void publishRelease(Held before) {
        TransitionHistory.lockRelease(before, endTime(before.holder().execution()))
                .ifPresent(publisher);
    }

    private boolean isRunning(ExecutionRef ref) {
        return statusOf(ref)
                .filter(status -> !(status instanceof ExecutionStatus.Final))
                .isPresent();
    }

    /** Returns when the execution finished; now, if its final status has not arrived yet or it was deleted. */
    private Instant endTime(ExecutionRef ref) {
        return statusOf(ref)
                .filter(ExecutionStatus.Final.class::isInstance)
                .map(status -> ((ExecutionStatus.Final) status).completionTime())
                .orElseGet(clock::instant);
    }

    private Optional<ExecutionStatus> statusOf(ExecutionRef ref) {
        return executions
                .get(ref.namespace(), ref.name())
                .flatMap(EventReplayer::decode)
                .filter(execution -> execution.ref().hasUid(ref.uid()))
                .map(Execution::status);
    }

    private void publishHistory(Execution execution) {
        TransitionHistory.ofExecution(execution, clock.instant()).stream()
                .filter(transition -> isWithinEventLifetime(transition.at()))
                .forEach(publisher);
    }

    private void publishRelease(Execution execution) {
        Target.tryParse(execution.spec().targetResource())
                .flatMap(target -> TransitionHistory.lockRelease(execution, entryOf(target)))
                .filter(transition -> isWithinEventLifetime(transition.at()))
                .ifPresent(publisher);
    }

    private LedgerEntry entryOf(Target target) {
        return targets.get("", target.objectName())
                .flatMap(EventReplayer::decode)
                .orElseGet(() -> LedgerEntry.initial(target));
    }

    private void publishClearance(RemediationTargetResource resource) {
        decode(resource).flatMap(this::recentClearance).ifPresent(publisher);
    }

    /** Returns the last clearance of a target if its Event can still exist. */
    public Optional<Transition> recentClearance(LedgerEntry entry) {
        return entry.clearance()
                .filter(clearance -> isWithinEventLifetime(clearance.at()))
                .flatMap(clearance -> TransitionHistory.clearance(entry));
    }

    private boolean isWithinEventLifetime(Instant at) {
        return at.plus(EVENT_LIFETIME).isAfter(clock.instant());
    }

    private static Optional<Execution> decode(WorkflowExecutionResource resource) {
        try {
            return Optional.of(ExecutionCodec.read(resource).value());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<LedgerEntry> decode(RemediationTargetResource resource) {
        try {
            return Optional.of(LedgerEntryCodec.read(resource).value());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
