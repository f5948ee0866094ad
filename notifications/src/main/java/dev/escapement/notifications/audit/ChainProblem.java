package dev.escapement.notifications.audit;

/**
 * A place where the chain is not as it was written.
 *
 * @param sequence of the first entry that it is about
 * @param message names the entries and what is wrong
 */
public record ChainProblem(long sequence, Kind kind, String message) {

    /** What was done to the chain. */
    public enum Kind {
        /** An entry has another content or another hash than when it was written. */
        CHANGED,
        /** Entries are missing, with later ones after them. */
        REMOVED,
        /** An entry was added that no other entry refers to. */
        INSERTED,
        /** An entry is not at its place. */
        REORDERED,
        /** The newest entries are missing. */
        TRUNCATED
    }

    static ChainProblem changed(long sequence, String detail) {
        return new ChainProblem(sequence, Kind.CHANGED, "entry " + sequence + " was changed: " + detail);
    }

    static ChainProblem removed(long first, long last) {
        return new ChainProblem(first, Kind.REMOVED, entries(first, last) + " removed");
    }

    static ChainProblem truncated(long first, long last, String evidence) {
        return new ChainProblem(first, Kind.TRUNCATED, entries(first, last) + " removed from the end: " + evidence);
    }

    static ChainProblem inserted(long sequence, String detail) {
        return new ChainProblem(sequence, Kind.INSERTED, "entry " + sequence + " was inserted: " + detail);
    }

    static ChainProblem reordered(long sequence, String detail) {
        return new ChainProblem(sequence, Kind.REORDERED, "entry " + sequence + " was moved: " + detail);
    }

    private static String entries(long first, long last) {
        return first == last ? "entry " + first + " was" : "entries " + first + " to " + last + " were";
    }
}
