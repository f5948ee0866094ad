package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;

/** Finds executions and ledger entries for people. Nothing is decided on what it returns. */
public interface ExecutionQueries {

    /** A part of a list. The token leads to the next part; empty at the end. */
    record Page<T>(List<T> items, Optional<String> nextToken) {
        /** Copies the list. */
        public Page {
            items = List.copyOf(items);
        }
    }

    /**
     * Which executions; whatever is empty does not matter.
     *
     * @param phase as in {@link dev.escapement.engine.execution.ExecutionStatus#phase}
     * @param target canonical
     */
    record ExecutionFilter(
            Optional<String> namespace, Optional<String> phase, Optional<String> workflow, Optional<String> target) {
        /** All of them. */
        public static final ExecutionFilter ALL =
                new ExecutionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Which ledger entries. */
    enum EntryFilter {
        /** All of them. */
        ALL,
        /** Those that somebody holds. */
        HELD,
        /** Those that remember a failure: backing off, exhausted or blocked. */
        FAILING
    }

    /** The execution of that name. */
    Optional<Versioned<Execution>> findExecution(String namespace, String name);

    /**
     * Executions, the newest first.
     *
     * @param token empty for the first part, or what the part before said
     * @param limit at most so many, at least 1
     * @throws IllegalArgumentException if the token is none
     */
    Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit);

    /**
     * Ledger entries, by target.
     *
     * @param token empty for the first part, or what the part before said
     * @param limit at most so many, at least 1
     * @throws IllegalArgumentException if the token is none
     */
    Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit);

    /** The entry with that {@link dev.escapement.governor.Target#objectName}. */
    Optional<Versioned<LedgerEntry>> findEntry(String objectName);
}
