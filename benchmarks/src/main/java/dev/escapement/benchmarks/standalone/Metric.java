package dev.escapement.benchmarks.standalone;

/** The server's counters that are read here. */
final class Metric {

    static final String ENDED = "workflowexecution_total";
    static final String STATEMENTS = "escapement_store_statements_total";
    static final String TRANSACTIONS = "escapement_store_transactions_total";

    private Metric() {}
}
