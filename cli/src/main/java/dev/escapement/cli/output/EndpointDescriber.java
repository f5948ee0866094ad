package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.instant;
import static dev.escapement.cli.client.ClientJson.orEmpty;
import static dev.escapement.cli.client.ClientJson.text;
import static dev.escapement.cli.client.ClientJson.words;

import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.endpoint.Endpoint.AttributedTime;
import dev.escapement.api.endpoint.Endpoint.EndpointHint;
import dev.escapement.api.endpoint.Endpoint.EndpointRemediation;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows endpoints to people: many as a table, one with its definition, state, last runs and next run. */
public record EndpointDescriber(Terminal terminal, Instant now) {

    private static final int MAX_BODY_LENGTH = 200;

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<EndpointView> endpoints) {
        return new Table.Columns<EndpointView>(wide)
                .add("NAME", EndpointView::name)
                .add("STATE", view -> Table.Cell.ofPhase(stateText(view)))
                .add("FAILURES", EndpointView::failures)
                .add("NEXT RUN", view -> nextRun(view, wide, now))
                .add("SOURCE", EndpointView::source)
                .add(
                        "LAST RUN",
                        view -> TimeFormat.formatPast(instant(view.lastRun().endedAt()), wide, now))
                .addWide("RUNS", view -> text(view.status().runs()))
                .addWide("EVERY", EndpointDescriber::cronOrInterval)
                .addWide("ID", EndpointView::id)
                .add(
                        "URL",
                        view -> wide
                                ? text(view.endpoint().url())
                                : host(text(view.endpoint().url())))
                .build(terminal, endpoints);
    }

    private static String cronOrInterval(EndpointView view) {
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

    /** Prints the endpoint with its last runs, newest first. */
    public void print(EndpointView view, List<EndpointRunView> runs) {
        Endpoint endpoint = view.endpoint();
        new FieldList(terminal)
                .add("Endpoint", view.name())
                .add("Description", text(endpoint.description()))
                .add("Calls", text(endpoint.method()) + " " + text(endpoint.url()))
                .add("Body", TerminalText.singleLine(text(endpoint.body()), MAX_BODY_LENGTH))
                .add("Timeout", text(endpoint.timeout()))
                .add("Signed", text(endpoint.signingKey()).isEmpty() ? "" : "yes (the key is not shown)")
                .add("Schedule", scheduleText(endpoint))
                .add("Min interval", text(endpoint.minInterval()))
                .add("Max interval", text(endpoint.maxInterval()))
                .add("State", stateText(view), TerminalStyle.ofPhase(stateText(view)))
                .add("Paused", pauseText(view))
                .add("Failures", view.failures() == 0 ? "" : view.failures() + " in a row")
                .add("Runs", runsText(view))
                .add("Running", currentRunText(view))
                .add("Next run", nextRunText(view))
                .add("Id", view.id())
                .addSection("Headers", headerLines(endpoint))
                .addSection(
                        "Hints", endpoint.hints().stream().map(this::hintLine).toList())
                .addSection(
                        view.isRunning() ? "Why it runs now" : "Why at that time",
                        new PlanExplanation(now).lines(view.status().plan()))
                .addSection("Remediation", remediationLines(view))
                .addSection("Last runs", runs.stream().map(this::runLine).toList())
                .addSection("Next", suggestedCommands(view))
                .print();
    }

    /** Returns New, Healthy, Failing, Paused or Archived; Running while a worker runs it. */
    private static String stateText(EndpointView view) {
        String state = view.isRunning() ? "RUNNING" : view.state();
        return state.isEmpty() ? "" : state.charAt(0) + state.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String scheduleText(Endpoint endpoint) {
        return text(endpoint.cron()).isEmpty()
                ? "every " + text(endpoint.interval())
                : "cron %s in %s".formatted(endpoint.cron(), text(endpoint.timeZone()));
    }

    private String pauseText(EndpointView view) {
        if (!view.state().equals("PAUSED")) {
            return "";
        }
        AttributedTime pause = orEmpty(view.status().pause(), AttributedTime.class);
        return view.pausedUntil()
                        .map(at -> "until " + TimeFormat.formatInstant(at, now))
                        .orElse("until resumed")
                + prefixed(", by ", pause.by())
                + prefixed(": ", pause.reason());
    }

    private String runsText(EndpointView view) {
        return view.lastRun().endedAt() == null
                ? "none"
                : text(view.status().runs()) + ", last " + time(view.lastRun().endedAt());
    }

    private String currentRunText(EndpointView view) {
        var run = view.running();
        return !view.isRunning()
                ? ""
                : "since %s, on %s, attempt %s of %s"
                        .formatted(time(run.since()), text(run.worker()), text(run.attempt()), text(run.id()));
    }

    private String nextRunText(EndpointView view) {
        boolean none = view.isRunning()
                || (view.isPausedOrArchived() && view.pausedUntil().isEmpty());
        return none ? "" : view.nextRunTime(now).orElse("never");
    }

    private static List<String> headerLines(Endpoint endpoint) {
        return endpoint.headers().entrySet().stream()
                .map(header -> header.getKey() + ": " + header.getValue())
                .toList();
    }

    private String hintLine(EndpointHint hint) {
        String schedule = text(hint.interval()).isEmpty() ? "once at " + time(hint.at()) : "every " + hint.interval();
        return "%s: %s, until %s, by %s: %s"
                .formatted(words(hint.state()), schedule, time(hint.expiresAt()), text(hint.by()), text(hint.reason()));
    }

    private List<String> remediationLines(EndpointView view) {
        List<String> lines = new ArrayList<>();
        var policy = view.endpoint().remediation();
        if (policy != null) {
            lines.add("after %s failures in a row: %s on %s"
                            .formatted(text(policy.after()), text(policy.workflow()), text(policy.target()))
                    + prefixed(", image ", policy.containerImage()));
        }
        var last = view.status().remediation();
        if (last != null) {
            String phase = text(last.execution()).isEmpty() ? "" : prefixed(" is ", last.executionPhase());
            lines.add("%s after run %s, %s".formatted(words(last.state()), text(last.run()), time(last.at()))
                    + prefixed(": execution ", last.execution())
                    + phase
                    + prefixed(": ", last.reason())
                    + prefixed(", until ", time(last.until())));
        }
        return lines;
    }

    private String runLine(EndpointRunView view) {
        String times = "%s, took %s, %s late".formatted(time(view.run().startedAt()), view.duration(), view.lateness());
        return "%s %s %s, %s: %s"
                .formatted(view.id(), view.outcome(), times, words(view.run().source()), view.result());
    }

    private static String prefixed(String prefix, @Nullable String value) {
        return text(value).isEmpty() ? "" : prefix + value;
    }

    private String time(@Nullable String value) {
        return TimeFormat.formatInstant(instant(value), now);
    }

    private static List<String> suggestedCommands(EndpointView endpoint) {
        String name = TerminalText.shellQuote(endpoint.name());
        List<String> commands = new ArrayList<>();
        String lastRun = text(endpoint.lastRun().id());
        if (endpoint.failures() > 0 && !lastRun.isEmpty()) {
            commands.add("escapement runs " + TerminalText.shellQuote(lastRun) + "    # the last response");
        }
        var last = orEmpty(endpoint.status().remediation(), EndpointStatus.RemediationState.class);
        String execution = text(last.execution());
        if (!execution.isEmpty()) {
            var policy = orEmpty(endpoint.endpoint().remediation(), EndpointRemediation.class);
            String namespace = text(last.namespace()).isEmpty() ? text(policy.namespace()) : text(last.namespace());
            boolean usual = namespace.isEmpty() || namespace.equals(ExecutionView.DEFAULT_NAMESPACE);
            commands.add("escapement describe execution "
                    + ExecutionSuggestions.nameArguments(usual ? execution : namespace + "/" + execution)
                    + "    # the remediation");
        }
        switch (endpoint.state()) {
            case "ARCHIVED" -> commands.add("escapement runs --endpoint " + TerminalText.shellQuote(endpoint.id()));
            case "PAUSED" -> commands.add("escapement endpoint resume " + name);
            case "FAILING" -> {
                commands.add("escapement endpoint run " + name + " --wait    # after the cause is fixed");
                commands.add("escapement endpoint reset " + name + "    # ends the backoff without a run");
            }
            default -> commands.add("escapement endpoint run " + name + " --wait");
        }
        return commands;
    }
}
