package dev.escapement.kubernetes.audit;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventReplayer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What the records are derived from.
 *
 * @param loadedPosition returns the position to continue from, given the stored one
 * @param storedPosition returns the position to store, given the delivered one
 * @param history returns the transitions after the first and up to the second time that follow from stored state
 * @param eventsRemoved whether Events after a position were removed before they expired
 * @param eventsComplete whether every transition that this process knows has an Event
 */
public record AuditSources(
        Journal journal,
        UnaryOperator<String> loadedPosition,
        UnaryOperator<String> storedPosition,
        BiFunction<Instant, Instant, List<Transition>> history,
        Predicate<String> eventsRemoved,
        BooleanSupplier eventsComplete,
        InstantSource clock) {

    /** Returns the sources of an operator. */
    public static AuditSources of(
            EventJournal journal, EventReplayer replayer, EventPublisher publisher, InstantSource clock) {
        return new AuditSources(
                journal,
                journal::continueFrom,
                journal::completePosition,
                replayer::transitionsBetween,
                journal::hasRemovedAfter,
                () -> publisher.isComplete() && replayer.isComplete(),
                clock);
    }
}
