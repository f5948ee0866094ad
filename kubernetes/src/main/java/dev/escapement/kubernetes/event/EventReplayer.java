package dev.escapement.kubernetes.event;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Publishes the transitions that follow from the stored state: those of other writers, and those that were not
 * published because of a crash. It goes back only as far as Events live, because an older one may have existed and
 * expired. A release is published after the end of its holder: see {@link ReleasePublisher}.
 */
public final class EventReplayer {

    private static final String UNKNOWN_ACTOR = "an unknown user of the API server";

    private final ResourceCache<WorkflowExecutionResource> executions;
    private final ResourceCache<RemediationTargetResource> targets;
    private final Consumer<Transition> publisher;
    private final DeletionActors deletions;
    private final InstantSource clock;
    private final ReleasePublisher releases;

    /**
     * @param reader reads an execution from the API server; may throw
     * @param publisher must not block or throw, and publishes nothing twice
     * @param deletions knows who deletes executions through this process
     */
    public EventReplayer(
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            Function<ExecutionRef, Optional<Versioned<Execution>>> reader,
            Consumer<Transition> publisher,
            DeletionActors deletions,
            InstantSource clock) {
        this(executions, targets, reader, publisher, deletions, clock, EventPublisher::runLater);
    }

    /** @param scheduler runs a task after a delay */
    EventReplayer(
            ResourceCache<WorkflowExecutionResource> executions,
            ResourceCache<RemediationTargetResource> targets,
            Function<ExecutionRef, Optional<Versioned<Execution>>> reader,
            Consumer<Transition> publisher,
            DeletionActors deletions,
            InstantSource clock,
            BiConsumer<Duration, Runnable> scheduler) {
        this.executions = executions;
        this.targets = targets;
        this.publisher = publisher;
        this.deletions = deletions;
        this.clock = clock;
        this.releases =
                new ReleasePublisher(executions, targets, reader, this::publishHistory, publisher, clock, scheduler);
    }

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
        read(resource).ifPresent(execution -> {
            publishHistory(execution);
            // The watch of targets may never report a release: an interrupted one reports only what is stored.
            publishRelease(execution);
        });
        releases.onHolderChanged(resource.getMetadata().getUid());
    }

    private void onExecutionDeleted(WorkflowExecutionResource resource) {
        String actor = deletions.find(resource.ref()).orElse(UNKNOWN_ACTOR);
        read(resource)
                .flatMap(execution -> Transition.of(
                        new StoreWrite.Deletion(new Versioned<>(execution, Versioned.ABSENT), actor, clock.instant())))
                .ifPresent(publisher);
        read(resource).ifPresent(releases::onHolderDeleted);
    }

    /** The writer of the change publishes it too, unless it never received the response to its write. */
    private void onTargetReplaced(LedgerEntry before, LedgerEntry after) {
        if (!after.clearance().equals(before.clearance())) {
            recentClearance(after).ifPresent(publisher);
        }
        if (before instanceof Held held
                && after.heldBy(held.holder().execution()).isEmpty()) {
            releases.onReleased(held);
        }
    }

    /** A release that leaves no history deletes the entry. */
    private void onTargetDeleted(RemediationTargetResource resource) {
        if (resource.readValid().orElse(null) instanceof Held held) {
            releases.onReleased(held);
        }
    }

    /** Publishes a release by this process. May read the holder from the API server. */
    public void publishRelease(Held before) {
        releases.publish(before);
    }

    /** Returns whether every release that this process knows was published. */
    public boolean isComplete() {
        return releases.isEmpty();
    }

    /** Publishes what happened to an execution so far, as far as its Events can still exist. */
    public void publishHistory(Execution execution) {
        TransitionHistory.ofExecution(execution, clock.instant()).stream()
                .filter(this::isRecent)
                .forEach(publisher);
    }

    private void publishRelease(Execution execution) {
        releaseOf(execution).filter(this::isRecent).ifPresent(publisher);
    }

    private Optional<Transition> releaseOf(Execution execution) {
        return Target.tryParse(execution.spec().targetResource())
                .flatMap(target -> TransitionHistory.lockRelease(
                        execution,
                        targets.get("", target.objectName())
                                .flatMap(RemediationTargetResource::readValid)
                                .orElseGet(() -> LedgerEntry.initial(target))));
    }

    /** Returns the last clearance of a target if its Event can still exist. */
    public Optional<Transition> recentClearance(LedgerEntry entry) {
        return entry.clearance()
                .filter(clearance -> EventMapper.isWithinLifetime(clearance.at(), clock.instant()))
                .flatMap(clearance -> TransitionHistory.clearance(entry, executionsOn(entry.target(), executions)));
    }

    /** Returns the executions on a target. */
    public static Stream<Execution> executionsOn(Target target, ResourceCache<WorkflowExecutionResource> executions) {
        return executions
                .all()
                .filter(resource -> Optional.ofNullable(resource.getSpec())
                        .flatMap(spec -> Optional.ofNullable(spec.targetResource()))
                        .flatMap(Target::tryParse)
                        .filter(target::equals)
                        .isPresent())
                .flatMap(resource -> read(resource).stream());
    }

    /**
     * Returns the transitions that follow from the stored state and happened in a period, oldest first, those of one
     * execution in their order. Transitions of a state that was replaced are missing.
     *
     * @param after exclusive
     * @param until inclusive
     */
    public List<Transition> transitionsBetween(Instant after, Instant until) {
        return Stream.concat(
                        executions
                                .all()
                                .flatMap(resource -> read(resource).stream())
                                .flatMap(this::historyOf),
                        targets.all()
                                .flatMap(resource -> resource.readValid().stream())
                                .flatMap(entry ->
                                        TransitionHistory.clearance(entry, executionsOn(entry.target(), executions))
                                                .stream())
                                .map(clearance -> new Dated(clearance.at(), clearance)))
                .sorted(Comparator.comparing(Dated::notBefore))
                .map(Dated::transition)
                .filter(transition ->
                        transition.at().isAfter(after) && !transition.at().isAfter(until))
                .toList();
    }

    /**
     * @param notBefore not before the one of an earlier transition of the execution: their times are of several clocks
     */
    private record Dated(Instant notBefore, Transition transition) {}

    private Stream<Dated> historyOf(Execution execution) {
        List<Dated> history = new ArrayList<>();
        Instant latest = Instant.MIN;
        for (Transition transition : TransitionHistory.ofExecution(execution, clock.instant())) {
            latest = transition.at().isAfter(latest) ? transition.at() : latest;
            history.add(new Dated(latest, transition));
        }
        Instant end = latest;
        releaseOf(execution).ifPresent(release -> history.add(new Dated(end, release)));
        return history.stream();
    }

    private boolean isRecent(Transition transition) {
        return EventMapper.isWithinLifetime(transition.at(), clock.instant());
    }

    private static Optional<Execution> read(WorkflowExecutionResource resource) {
        return resource.readValid().map(Versioned::value);
    }
}
