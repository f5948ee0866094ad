package dev.escapement.benchmarks;

/** One measurement and its place in the table. */
record Cell(Contender contender, int attempt, Outcome outcome) {}
