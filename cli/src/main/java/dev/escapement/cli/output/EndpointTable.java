package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Endpoints, one per row. */
public final class EndpointTable {

    private final Terminal terminal;
    private final boolean wide;

    public EndpointTable(Terminal terminal, boolean wide) {
        this.terminal = terminal;
        this.wide = wide;
    }

    public Table build(List<EndpointJsonView> endpoints, Instant now) {
        Table table = wide
                ? new Table(
                        terminal,
                        "NAME",
                        "STATE",
                        "FAILURES",
                        "NEXT RUN",
                        "SOURCE",
                        "LAST RUN",
                        "RUNS",
                        "EVERY",
                        "ID",
                        "URL")
                : new Table(terminal, "NAME", "STATE", "FAILURES", "NEXT RUN", "SOURCE", "LAST RUN", "URL");
        endpoints.forEach(endpoint -> addRow(table, endpoint, now));
        return table;
    }

    private void addRow(Table table, EndpointJsonView endpoint, Instant now) {
        Table.Cell state = Table.Cell.ofPhase(endpoint.state());
        String failures = Long.toString(endpoint.failures());
        String next = nextRunText(endpoint, now);
        String last = endpoint.lastRun()
                .map(at -> wide ? TimeFormat.formatInstant(at, now) : TimeFormat.formatAge(at, now) + " ago")
                .orElse("");
        if (wide) {
            String cron = endpoint.text("/cron");
            table.addRow(
                    endpoint.name(),
                    state,
                    failures,
                    next,
                    endpoint.source(),
                    last,
                    endpoint.text("/status/runs"),
                    cron.isEmpty() ? endpoint.text("/interval") : cron + " " + endpoint.text("/timeZone"),
                    endpoint.id(),
                    endpoint.text("/url"));
        } else {
            table.addRow(endpoint.name(), state, failures, next, endpoint.source(), last, endpoint.host());
        }
    }

    private String nextRunText(EndpointJsonView endpoint, Instant now) {
        if (endpoint.isRunning()) {
            return "now";
        }
        if (endpoint.text("/status/state").equals("PAUSED")
                && endpoint.pausedUntil().isEmpty()) {
            return "when resumed";
        }
        return endpoint.nextRun()
                .map(at -> wide ? TimeFormat.formatInstant(at, now) : TimeFormat.formatRelative(at, now))
                .orElse("never");
    }
}
