package dev.escapement.benchmarks.standalone;

/** The server's counters that are read here. */
final class ServerMetricNames {

    static final String EXECUTIONS_ENDED = "workflowexecution_total";
    static final String STATEMENTS = "escapement_store_statements_total";
    static final String TRANSACTIONS = "escapement_store_transactions_total";

    private ServerMetricNames() {}
}
