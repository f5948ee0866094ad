package dev.escapement.notifications.audit;

import java.util.Optional;

/** An entry with the columns by which it is found. */
record IndexedEntry(ChainEntry entry, SearchColumns columns) {

    /** Returns what is wrong with the columns: an entry with others is valid, but searches do not find it. */
    Optional<String> findColumnProblem() {
        try {
            return SearchColumns.of(entry.document())
                    .findDifference(columns)
                    .map(column -> "its column " + column + " does not have the value of its record");
        } catch (IllegalArgumentException unreadable) {
            return Optional.of("its record cannot be read");
        }
    }
}
