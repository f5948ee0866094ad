package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import java.time.Instant;
import java.util.List;

/** Runs of endpoints, one per row. */
public final class RunTable {

    private final Terminal terminal;
    private final boolean wide;

    public RunTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
    }

    public Table of(List<RunView> runs, Instant now) {
        Table table = wide
                ? new Table(
                        terminal,
                        "ID",
                        "ENDPOINT",
                        "OUTCOME",
                        "STARTED",
                        "TOOK",
                        "LATE",
                        "SOURCE",
                        "FAILURES",
                        "ATTEMPT",
                        "WORKER",
                        "ANSWER")
                : new Table(terminal, "ID", "ENDPOINT", "OUTCOME", "STARTED", "TOOK", "LATE", "SOURCE", "ANSWER");
        runs.forEach(run -> add(table, run, now));
        return table;
    }

    private void add(Table table, RunView run, Instant now) {
        Table.Cell outcome = Table.Cell.of(run.outcome());
        String started = run.startedAt()
                .map(at -> wide ? Times.at(at, now) : Times.age(at, now) + " ago")
                .orElse("");
        String took = Times.about(run.took());
        String late = Times.about(run.late());
        if (wide) {
            table.row(
                    run.id(),
                    run.endpoint(),
                    outcome,
                    started,
                    took,
                    late,
                    run.source(),
                    run.text("/failuresBefore") + " → " + run.text("/failuresAfter"),
                    run.text("/attempt"),
                    run.text("/worker"),
                    run.answer());
        } else {
            table.row(run.id(), run.endpoint(), outcome, started, took, late, run.source(), run.answer());
        }
    }
}
