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
import dev.escapement.kubernetes.cache.InformerStore;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.LedgerEntryCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells what follows from what is stored: what others did, and what a crash kept from being told. Only as far back as
 * Events live, or old ones would be told anew.
 */
public final class EventReplayer {

    /** After that the API server forgets an Event. */
    static final Duration EVENT_LIFETIME = Duration.ofHours(1);

    private static final String UNKNOWN_ACTOR = "somebody, through the API server";

    private final InformerStore<WorkflowExecution> executions;
    private final InformerStore<RemediationTarget> targets;
    private final Consumer<Transition> publisher;
    private final InstantSource clock;
    private volatile boolean active;

    /** @param tell must not block or throw, and tells nothing twice */
    public EventReplayer(
            InformerStore<WorkflowExecution> executions,
            InformerStore<RemediationTarget> targets,
            Consumer<Transition> tell,
            InstantSource clock) {
        this.executions = executions;
        this.targets = targets;
        this.publisher = tell;
        this.clock = clock;
    }

    /** Hears from now on what the watches tell. */
    public void registerListeners() {
        executions.onChange(this::onExecutionChanged);
        executions.onDelete(this::onExecutionDeleted);
        targets.onReplace(this::onTargetReplaced);
        targets.onDelete(this::onTargetDeleted);
    }

    /** Begins: first what was not told before. */
    public void start() {
        active = true;
        replayAll();
    }

    /** Tells everything once more, as far as it follows from what is stored. */
    public void replayAll() {
        if (active) {
            executions
                    .all()
                    .forEach(resource -> decode(resource).ifPresent(seen -> {
                        publishHistory(seen);
                        publishRelease(seen);
                    }));
            targets.all().forEach(this::publishClearance);
        }
    }

    private void onExecutionChanged(WorkflowExecution resource) {
        if (active) {
            decode(resource).ifPresent(this::publishHistory);
        }
    }

    private void onExecutionDeleted(WorkflowExecution resource) {
        if (active) {
            decode(resource)
                    .flatMap(seen -> Transition.of(new StoreWrite.Deletion(
                            new Versioned<>(seen, Versioned.ABSENT), UNKNOWN_ACTOR, clock.instant())))
                    .ifPresent(publisher);
        }
    }

    /** Whoever made the change tells of it as well, unless the answer was lost on its way to them. */
    private void onTargetReplaced(RemediationTarget before, RemediationTarget after) {
        if (active) {
            decode(before).ifPresent(was -> decode(after).ifPresent(is -> onTargetReplaced(was, is)));
        }
    }

    private void onTargetReplaced(LedgerEntry was, LedgerEntry is) {
        if (!is.clearance().equals(was.clearance())) {
            recentClearance(is).ifPresent(publisher);
        }
        if (was instanceof Held held && is.heldBy(held.holder().execution()).isEmpty()) {
            publishRelease(held);
        }
    }

    /** A release that leaves nothing to remember takes the entry away; to whoever is still at work it is given back. */
    private void onTargetDeleted(RemediationTarget resource) {
        if (active) {
            decode(resource)
                    .filter(Held.class::isInstance)
                    .map(Held.class::cast)
                    .filter(was -> !isRunning(was.holder().execution()))
                    .ifPresent(this::publishRelease);
        }
    }

    private void publishRelease(Held was) {
        TransitionHistory.lockRelease(was, endTime(was.holder().execution())).ifPresent(publisher);
    }

    private boolean isRunning(ExecutionRef ref) {
        return statusOf(ref)
                .filter(status -> !(status instanceof ExecutionStatus.Final))
                .isPresent();
    }

    /** When it ended; now, if its last word has not arrived yet or it is gone. */
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
                .filter(seen -> seen.ref().hasUid(ref.uid()))
                .map(Execution::status);
    }

    private void publishHistory(Execution seen) {
        TransitionHistory.ofExecution(seen, clock.instant()).stream()
                .filter(told -> isWithinEventLifetime(told.at()))
                .forEach(publisher);
    }

    private void publishRelease(Execution seen) {
        Target.tryParse(seen.spec().targetResource())
                .flatMap(target -> TransitionHistory.lockRelease(seen, entryOf(target)))
                .filter(told -> isWithinEventLifetime(told.at()))
                .ifPresent(publisher);
    }

    private LedgerEntry entryOf(Target target) {
        return targets.get("", target.objectName())
                .flatMap(EventReplayer::decode)
                .orElseGet(() -> LedgerEntry.initial(target));
    }

    private void publishClearance(RemediationTarget resource) {
        decode(resource).flatMap(this::recentClearance).ifPresent(publisher);
    }

    /** The last clearance of a target, as long as there can be an Event of it. */
    public Optional<Transition> recentClearance(LedgerEntry entry) {
        return entry.clearance()
                .filter(given -> isWithinEventLifetime(given.at()))
                .flatMap(given -> TransitionHistory.clearance(entry));
    }

    private boolean isWithinEventLifetime(Instant at) {
        return at.plus(EVENT_LIFETIME).isAfter(clock.instant());
    }

    private static Optional<Execution> decode(WorkflowExecution resource) {
        try {
            return Optional.of(ExecutionCodec.read(resource).value());
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<LedgerEntry> decode(RemediationTarget resource) {
        try {
            return Optional.of(LedgerEntryCodec.read(resource).value());
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
