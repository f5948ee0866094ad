package dev.escapement.cli.output;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TableColumns;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** Table of endpoints. */
public final class EndpointTable {

    private EndpointTable() {}

    public static Table build(Terminal terminal, boolean wide, Instant now, List<EndpointJsonView> endpoints) {
        return new TableColumns<EndpointJsonView>(wide)
                .add("NAME", EndpointJsonView::name)
                .add("STATE", endpoint -> Table.Cell.ofPhase(endpoint.state()))
                .add("FAILURES", EndpointJsonView::failures)
                .add("NEXT RUN", endpoint -> nextRunText(endpoint, wide, now))
                .add("SOURCE", EndpointJsonView::source)
                .add(
                        "LAST RUN",
                        endpoint -> endpoint.lastRun()
                                .map(at -> wide
                                        ? TimeFormat.formatInstant(at, now)
                                        : TimeFormat.formatAge(at, now) + " ago")
                                .orElse(""))
                .addWide("RUNS", endpoint -> endpoint.text("/status/runs"))
                .addWide("EVERY", EndpointTable::scheduleText)
                .addWide("ID", EndpointJsonView::id)
                .add("URL", endpoint -> wide ? endpoint.text("/url") : endpoint.host())
                .build(terminal, endpoints);
    }

    private static String scheduleText(EndpointJsonView endpoint) {
        String cron = endpoint.text("/cron");
        return cron.isEmpty() ? endpoint.text("/interval") : cron + " " + endpoint.text("/timeZone");
    }

    private static String nextRunText(EndpointJsonView endpoint, boolean wide, Instant now) {
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
