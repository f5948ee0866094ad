package dev.escapement.storage.jdbc;

import java.util.concurrent.atomic.LongAdder;

/** Counts statements and committed write transactions since the database was opened. Thread-safe. */
public final class StatementCounters {

    private final LongAdder statements = new LongAdder();
    private final LongAdder writeTransactions = new LongAdder();

    void countStatement() {
        statements.increment();
    }

    public void countWrite() {
        writeTransactions.increment();
    }

    public Counts read() {
        return new Counts(statements.sum(), writeTransactions.sum());
    }

    /**
     * The numbers at one moment.
     *
     * @param statements without those that begin and end transactions
     */
    public record Counts(long statements, long writeTransactions) {

        public Counts since(Counts earlier) {
            return new Counts(statements - earlier.statements, writeTransactions - earlier.writeTransactions);
        }
    }
}
