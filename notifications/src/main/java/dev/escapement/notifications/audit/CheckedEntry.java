package dev.escapement.notifications.audit;

import java.util.Optional;

/**
 * An entry with what can be said about it alone. This takes nearly all the time of a verification and does not depend
 * on the other entries, so that many can be checked at once.
 *
 * @param columnProblem what is wrong with the columns by which it is found
 */
record CheckedEntry(ChainEntry entry, boolean validHash, Optional<String> columnProblem) {

    static CheckedEntry of(IndexedEntry indexed) {
        return new CheckedEntry(indexed.entry(), indexed.entry().hasValidHash(), indexed.findColumnProblem());
    }
}
