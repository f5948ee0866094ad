package dev.escapement.kubernetes.journal;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.resource.EntryCodec;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells what follows from what is stored: what others did, and what a crash kept from being told. Only as far back as
 * Events live, or old ones would be told anew.
 */
public final class Teller {

    /** After that the API server forgets an Event. */
    static final Duration LIFETIME = Duration.ofHours(1);

    private static final String SOMEBODY = "somebody, through the API server";

    private final ItemView<WorkflowExecution> executions;
    private final ItemView<RemediationTarget> targets;
    private final Consumer<Transition> tell;
    private final InstantSource clock;
    private volatile boolean active;

    /** @param tell must not block or throw, and tells nothing twice */
    public Teller(
            ItemView<WorkflowExecution> executions,
            ItemView<RemediationTarget> targets,
            Consumer<Transition> tell,
            InstantSource clock) {
        this.executions = executions;
        this.targets = targets;
        this.tell = tell;
        this.clock = clock;
    }

    /** Hears from now on what the watches tell. */
    public void listen() {
        executions.onChange(this::changed);
        executions.onDelete(this::deleted);
        targets.onReplace(this::replaced);
        targets.onDelete(this::removed);
    }

    /** Begins: first what was not told before. */
    public void start() {
        active = true;
        again();
    }

    /** Tells everything once more, as far as it follows from what is stored. */
    public void again() {
        if (active) {
            executions
                    .all()
                    .forEach(resource -> read(resource).ifPresent(seen -> {
                        lived(seen);
                        released(seen);
                    }));
            targets.all().forEach(this::cleared);
        }
    }

    private void changed(WorkflowExecution resource) {
        if (active) {
            read(resource).ifPresent(this::lived);
        }
    }

    private void deleted(WorkflowExecution resource) {
        if (active) {
            read(resource)
                    .flatMap(seen -> Transition.of(new StoreWrite.Deletion(
                            new Versioned<>(seen, Versioned.ABSENT), SOMEBODY, clock.instant())))
                    .ifPresent(tell);
        }
    }

    /** Whoever made the change tells of it as well, unless the answer was lost on its way to them. */
    private void replaced(RemediationTarget before, RemediationTarget after) {
        if (active) {
            read(before).ifPresent(was -> read(after).ifPresent(is -> replaced(was, is)));
        }
    }

    private void replaced(LedgerEntry was, LedgerEntry is) {
        if (!is.clearance().equals(was.clearance())) {
            clearance(is).ifPresent(tell);
        }
        if (was instanceof Held held && is.heldBy(held.holder().execution()).isEmpty()) {
            released(held);
        }
    }

    /** A release that leaves nothing to remember takes the entry away; to whoever is still at work it is given back. */
    private void removed(RemediationTarget resource) {
        if (active) {
            read(resource)
                    .filter(Held.class::isInstance)
                    .map(Held.class::cast)
                    .filter(was -> !isAtWork(was.holder().execution()))
                    .ifPresent(this::released);
        }
    }

    private void released(Held was) {
        Told.released(was, end(was.holder().execution())).ifPresent(tell);
    }

    private boolean isAtWork(ExecutionRef ref) {
        return status(ref)
                .filter(status -> !(status instanceof ExecutionStatus.Final))
                .isPresent();
    }

    /** When it ended; now, if its last word has not arrived yet or it is gone. */
    private Instant end(ExecutionRef ref) {
        return status(ref)
                .filter(ExecutionStatus.Final.class::isInstance)
                .map(status -> ((ExecutionStatus.Final) status).completionTime())
                .orElseGet(clock::instant);
    }

    private Optional<ExecutionStatus> status(ExecutionRef ref) {
        return executions
                .get(ref.namespace(), ref.name())
                .flatMap(Teller::read)
                .filter(seen -> seen.ref().hasUid(ref.uid()))
                .map(Execution::status);
    }

    private void lived(Execution seen) {
        Told.of(seen, clock.instant()).stream()
                .filter(told -> isRecent(told.at()))
                .forEach(tell);
    }

    private void released(Execution seen) {
        Target.tryParse(seen.spec().targetResource())
                .flatMap(target -> Told.released(seen, entry(target)))
                .filter(told -> isRecent(told.at()))
                .ifPresent(tell);
    }

    private LedgerEntry entry(Target target) {
        return targets.get("", target.objectName()).flatMap(Teller::read).orElseGet(() -> LedgerEntry.initial(target));
    }

    private void cleared(RemediationTarget resource) {
        read(resource).flatMap(this::clearance).ifPresent(tell);
    }

    /** The last clearance of a target, as long as there can be an Event of it. */
    public Optional<Transition> clearance(LedgerEntry entry) {
        return entry.clearance().filter(given -> isRecent(given.at())).flatMap(given -> Told.cleared(entry));
    }

    private boolean isRecent(Instant at) {
        return at.plus(LIFETIME).isAfter(clock.instant());
    }

    private static Optional<Execution> read(WorkflowExecution resource) {
        try {
            return Optional.of(ExecutionCodec.read(resource).value());
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<LedgerEntry> read(RemediationTarget resource) {
        try {
            return Optional.of(EntryCodec.read(resource).value());
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }
}
