package dev.escapement.storage.jdbc;

import java.util.concurrent.atomic.LongAdder;

/** Counts what is asked of the database. Cheap enough to be always on. */
public final class Counters {

    private final LongAdder statements = new LongAdder();
    private final LongAdder writes = new LongAdder();

    void statement() {
        statements.increment();
    }

    /** A transaction that changed something was committed. */
    public void wrote() {
        writes.increment();
    }

    /** Statements sent so far, without those that begin and end transactions. */
    public long statements() {
        return statements.sum();
    }

    /** Transactions committed so far that changed something. */
    public long writes() {
        return writes.sum();
    }
}
