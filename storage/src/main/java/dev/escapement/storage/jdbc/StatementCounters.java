package dev.escapement.storage.jdbc;

import java.util.concurrent.atomic.LongAdder;

/** Counts what is asked of the database. Cheap enough to be always on. */
public final class StatementCounters {

    private final LongAdder statements = new LongAdder();
    private final LongAdder writeTransactions = new LongAdder();

    void countStatement() {
        statements.increment();
    }

    /** A transaction that changed something was committed. */
    public void countWrite() {
        writeTransactions.increment();
    }

    /** Statements sent so far, without those that begin and end transactions. */
    public long statements() {
        return statements.sum();
    }

    /** Transactions committed so far that changed something. */
    public long writeTransactions() {
        return writeTransactions.sum();
    }
}
