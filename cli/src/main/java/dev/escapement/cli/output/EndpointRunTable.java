package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Runs of endpoints, one per row. */
public final class EndpointRunTable {

    private final Terminal terminal;
    private final boolean wide;

    public EndpointRunTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
    }

    public Table build(List<EndpointRunJsonView> runs, Instant now) {
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
        runs.forEach(run -> addRow(table, run, now));
        return table;
    }

    private void addRow(Table table, EndpointRunJsonView run, Instant now) {
        Table.Cell outcome = Table.Cell.ofPhase(run.outcome());
        String started = run.startedAt()
                .map(at -> wide ? TimeFormat.formatInstant(at, now) : TimeFormat.formatAge(at, now) + " ago")
                .orElse("");
        String took = TimeFormat.formatDuration(run.duration());
        String late = TimeFormat.formatDuration(run.lateness());
        if (wide) {
            table.addRow(
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
                    run.resultText());
        } else {
            table.addRow(run.id(), run.endpoint(), outcome, started, took, late, run.source(), run.resultText());
        }
    }
}
