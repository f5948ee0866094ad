package dev.escapement.engine.port;

import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.List;
import java.util.Optional;

/**
 * Finds executions and ledger entries for display. Results may be stale: no decision is based on them.
 *
 * <p>A list has at most {@code limit} items, from 1. Its token is empty for the first page, else that of the page
 * before; one that is invalid causes an {@link IllegalArgumentException}.
 */
public interface ExecutionQueries {

    /** A page of a list. The token is for the next page; empty on the last one. */
    record Page<T>(List<T> items, Optional<String> nextToken) {
        public Page {
            items = List.copyOf(items);
        }
    }

    /**
     * Selects executions; an empty component matches all.
     *
     * @param phase as in {@link dev.escapement.engine.execution.ExecutionStatus#phase}
     * @param target canonical
     */
    record ExecutionFilter(
            Optional<String> namespace, Optional<String> phase, Optional<String> workflow, Optional<String> target) {
        public static final ExecutionFilter ALL =
                new ExecutionFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Selects ledger entries. */
    enum EntryFilter {
        ALL,
        /** Entries with a holder. */
        HELD,
        /** Entries with a failure: in backoff, exhausted or blocked. */
        FAILING
    }

    Optional<Versioned<Execution>> findExecution(String namespace, String name);

    /** Lists executions, the newest first. */
    Page<Versioned<Execution>> listExecutions(ExecutionFilter filter, String token, int limit);

    /** Lists ledger entries, sorted by target. */
    Page<Versioned<LedgerEntry>> listEntries(EntryFilter filter, String token, int limit);

    /** Finds an entry by its {@link dev.escapement.governor.Target#objectName}. */
    Optional<Versioned<LedgerEntry>> findEntry(String objectName);
}
