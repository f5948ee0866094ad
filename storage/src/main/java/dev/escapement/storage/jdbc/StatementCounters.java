package dev.escapement.storage.jdbc;

import java.util.concurrent.atomic.LongAdder;

/** Counts statements and committed write transactions. Thread-safe. */
public final class StatementCounters {

    private final LongAdder statements = new LongAdder();
    private final LongAdder writeTransactions = new LongAdder();

    void countStatement() {
        statements.increment();
    }

    public void countWrite() {
        writeTransactions.increment();
    }

    /** Returns the number of statements, without those that begin and end transactions. */
    public long statements() {
        return statements.sum();
    }

    public long writeTransactions() {
        return writeTransactions.sum();
    }
}
