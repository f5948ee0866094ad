package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TableColumns;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Table of endpoint runs. */
public final class EndpointRunTable {

    private EndpointRunTable() {}

    public static Table build(Terminal terminal, boolean wide, Instant now, List<EndpointRunJsonView> runs) {
        return new TableColumns<EndpointRunJsonView>(wide)
                .add("ID", EndpointRunJsonView::id)
                .add("ENDPOINT", EndpointRunJsonView::endpoint)
                .add("OUTCOME", run -> Table.Cell.ofPhase(run.outcome()))
                .add(
                        "STARTED",
                        run -> run.startedAt()
                                .map(at -> wide
                                        ? TimeFormat.formatInstant(at, now)
                                        : TimeFormat.formatAge(at, now) + " ago")
                                .orElse(""))
                .add("TOOK", run -> TimeFormat.formatDuration(run.duration()))
                .add("LATE", run -> TimeFormat.formatDuration(run.lateness()))
                .add("SOURCE", EndpointRunJsonView::source)
                .addWide("FAILURES", run -> run.text("/failuresBefore") + " → " + run.text("/failuresAfter"))
                .addWide("ATTEMPT", run -> run.text("/attempt"))
                .addWide("WORKER", run -> run.text("/worker"))
                .add("RESULT", EndpointRunJsonView::resultText)
                .build(terminal, runs);
    }
}
