package dev.escapement.cli.output;

import static dev.escapement.cli.output.ApiValues.instant;
import static dev.escapement.cli.output.ApiValues.text;
import static dev.escapement.cli.output.ApiValues.words;

import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.TableColumns;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of endpoints and of their runs. */
public final class EndpointTables {

    private EndpointTables() {}

    public static Table endpoints(Terminal terminal, boolean wide, Instant now, List<EndpointView> endpoints) {
        return new TableColumns<EndpointView>(wide)
                .add("NAME", EndpointView::name)
                .add("STATE", view -> Table.Cell.ofPhase(EndpointDescriber.stateText(view)))
                .add("FAILURES", EndpointView::failures)
                .add("NEXT RUN", view -> nextRun(view, wide, now))
                .add("SOURCE", EndpointView::source)
                .add("LAST RUN", view -> pastTime(view.lastRun().endedAt(), wide, now))
                .addWide("RUNS", view -> text(view.status().runs()))
                .addWide("EVERY", EndpointTables::schedule)
                .addWide("ID", EndpointView::id)
                .add(
                        "URL",
                        view -> wide
                                ? text(view.endpoint().url())
                                : host(text(view.endpoint().url())))
                .build(terminal, endpoints);
    }

    public static Table runs(Terminal terminal, boolean wide, Instant now, List<EndpointRunView> runs) {
        return new TableColumns<EndpointRunView>(wide)
                .add("ID", EndpointRunView::id)
                .add("ENDPOINT", view -> text(view.run().endpoint()))
                .add("OUTCOME", view -> Table.Cell.ofPhase(view.outcome()))
                .add("STARTED", view -> pastTime(view.run().startedAt(), wide, now))
                .add("TOOK", EndpointRunView::duration)
                .add("LATE", EndpointRunView::lateness)
                .add("SOURCE", view -> words(view.run().source()))
                .addWide(
                        "FAILURES",
                        view -> text(view.run().failuresBefore()) + " → "
                                + text(view.run().failuresAfter()))
                .addWide("ATTEMPT", view -> text(view.run().attempt()))
                .addWide("WORKER", view -> text(view.run().worker()))
                .add("RESULT", EndpointRunView::result)
                .build(terminal, runs);
    }

    private static String schedule(EndpointView view) {
        String cron = text(view.endpoint().cron());
        return cron.isEmpty()
                ? text(view.endpoint().interval())
                : cron + " " + text(view.endpoint().timeZone());
    }

    private static String nextRun(EndpointView view, boolean wide, Instant now) {
        if (view.isRunning()) {
            return "now";
        }
        if (view.state().equals("PAUSED") && view.pausedUntil().isEmpty()) {
            return "when resumed";
        }
        return instant(view.nextRun().at())
                .map(at -> wide ? TimeFormat.formatInstant(at, now) : TimeFormat.formatRelative(at, now))
                .orElse("never");
    }

    private static String pastTime(@Nullable String time, boolean wide, Instant now) {
        return instant(time)
                .map(at -> wide ? TimeFormat.formatInstant(at, now) : TimeFormat.formatAge(at, now) + " ago")
                .orElse("");
    }

    /** Returns the host, and the port where it is not the usual one. */
    private static String host(String url) {
        try {
            return Optional.ofNullable(new URI(url).getRawAuthority())
                    .map(authority -> authority.substring(authority.lastIndexOf('@') + 1))
                    .orElse("");
        } catch (URISyntaxException invalid) {
            return "";
        }
    }
}
