package dev.escapement.server.cli.view;

import dev.escapement.server.cli.text.Table;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
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

    public Table of(List<EndpointView> endpoints, Instant now) {
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
        endpoints.forEach(endpoint -> add(table, endpoint, now));
        return table;
    }

    private void add(Table table, EndpointView endpoint, Instant now) {
        Table.Cell state = Table.Cell.of(endpoint.state());
        String failures = Long.toString(endpoint.failures());
        String next = next(endpoint, now);
        String last = endpoint.lastRun()
                .map(at -> wide ? Times.at(at, now) : Times.age(at, now) + " ago")
                .orElse("");
        if (wide) {
            String cron = endpoint.text("/cron");
            table.row(
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
            table.row(endpoint.name(), state, failures, next, endpoint.source(), last, endpoint.host());
        }
    }

    private String next(EndpointView endpoint, Instant now) {
        if (endpoint.isRunning()) {
            return "now";
        }
        if (endpoint.text("/status/state").equals("PAUSED")
                && endpoint.pausedUntil().isEmpty()) {
            return "when resumed";
        }
        return endpoint.nextRun()
                .map(at -> wide ? Times.at(at, now) : Times.from(at, now))
                .orElse("never");
    }
}
