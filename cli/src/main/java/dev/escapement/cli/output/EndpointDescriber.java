package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalStyle;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Prints all about one endpoint: its definition, state, next run with the reason, and last runs. */
public final class EndpointDescriber {

    private static final int MAX_BODY_LENGTH = 200;

    private final Terminal terminal;
    private final Instant now;

    public EndpointDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /** Prints the endpoint with its last runs, newest first. */
    public void print(EndpointJsonView endpoint, List<EndpointRunJsonView> runs) {
        new FieldList(terminal)
                .add("Endpoint", endpoint.name())
                .add("Description", endpoint.text("/description"))
                .add("Calls", endpoint.text("/method") + " " + endpoint.text("/url"))
                .add("Body", TerminalText.singleLine(endpoint.text("/body"), MAX_BODY_LENGTH))
                .add("Timeout", endpoint.text("/timeout"))
                .add("Signed", endpoint.text("/signingKey").isEmpty() ? "" : "yes (the key is not shown)")
                .add("Schedule", scheduleText(endpoint))
                .add("Min interval", endpoint.text("/minInterval"))
                .add("Max interval", endpoint.text("/maxInterval"))
                .add("State", endpoint.state(), TerminalStyle.ofPhase(endpoint.state()))
                .add("Paused", pauseText(endpoint))
                .add("Failures", endpoint.failures() == 0 ? "" : endpoint.failures() + " in a row")
                .add("Runs", runsText(endpoint))
                .add("Running", currentRunText(endpoint))
                .add("Next run", nextRunText(endpoint))
                .add("Id", endpoint.id())
                .addSection("Headers", headerLines(endpoint.document().path("headers")))
                .addSection("Hints", hintLines(endpoint.document().path("hints")))
                .addSection(
                        endpoint.isRunning() ? "Why it runs now" : "Why at that time",
                        new PlanExplanation(now).lines(endpoint.document().at("/status/plan")))
                .addSection("Remediation", remediationLines(endpoint))
                .addSection("Last runs", runs.stream().map(this::runLine).toList())
                .addSection("Next", EndpointSuggestions.commandsFor(endpoint))
                .print();
    }

    private static String scheduleText(EndpointJsonView endpoint) {
        String cron = endpoint.text("/cron");
        return cron.isEmpty()
                ? "every " + endpoint.text("/interval")
                : "cron %s in %s".formatted(cron, endpoint.text("/timeZone"));
    }

    private String pauseText(EndpointJsonView endpoint) {
        if (!endpoint.text("/status/state").equals("PAUSED")) {
            return "";
        }
        String until = endpoint.pausedUntil()
                .map(at -> "until " + TimeFormat.formatInstant(at, now))
                .orElse("until resumed");
        String actor = endpoint.text("/status/pause/by");
        String reason = endpoint.text("/status/pause/reason");
        return until + (actor.isEmpty() ? "" : ", by " + actor) + (reason.isEmpty() ? "" : ": " + reason);
    }

    private String runsText(EndpointJsonView endpoint) {
        return endpoint.lastRun()
                .map(at -> "%s, last %s".formatted(endpoint.text("/status/runs"), TimeFormat.formatInstant(at, now)))
                .orElse("none");
    }

    private String currentRunText(EndpointJsonView endpoint) {
        return endpoint.isRunning()
                ? "since %s, on %s, attempt %s of %s"
                        .formatted(
                                TimeFormat.formatInstant(endpoint.instant("/status/running/since"), now),
                                endpoint.text("/status/running/worker"),
                                endpoint.text("/status/running/attempt"),
                                endpoint.text("/status/running/id"))
                : "";
    }

    private String nextRunText(EndpointJsonView endpoint) {
        if (endpoint.isRunning()
                || (endpoint.isPausedOrArchived() && endpoint.pausedUntil().isEmpty())) {
            return "";
        }
        return endpoint.nextRun()
                .map(at -> "%s, %s".formatted(TimeFormat.formatInstant(at, now), endpoint.source()))
                .orElse("never");
    }

    private static List<String> headerLines(JsonNode headers) {
        return headers.properties().stream()
                .map(header -> header.getKey() + ": " + header.getValue().asText())
                .toList();
    }

    private List<String> hintLines(JsonNode hints) {
        List<String> lines = new ArrayList<>();
        for (JsonNode hint : hints) {
            String interval = ClientJson.text(hint, "/interval");
            lines.add("%s: %s, until %s, by %s: %s"
                    .formatted(
                            EndpointJsonView.toWords(ClientJson.text(hint, "/state")),
                            interval.isEmpty() ? "once at " + formatTime(hint, "/at") : "every " + interval,
                            formatTime(hint, "/expiresAt"),
                            ClientJson.text(hint, "/by"),
                            ClientJson.text(hint, "/reason")));
        }
        return lines;
    }

    private List<String> remediationLines(EndpointJsonView endpoint) {
        List<String> lines = new ArrayList<>();
        if (endpoint.document().path("remediation").isObject()) {
            String image = endpoint.text("/remediation/containerImage");
            lines.add("after %s failures in a row: %s on %s%s"
                    .formatted(
                            endpoint.text("/remediation/after"),
                            endpoint.text("/remediation/workflow"),
                            endpoint.text("/remediation/target"),
                            image.isEmpty() ? "" : ", image " + image));
        }
        JsonNode last = endpoint.document().at("/status/remediation");
        if (last.isObject()) {
            String execution = ClientJson.text(last, "/execution");
            String phase = ClientJson.text(last, "/executionPhase");
            String reason = ClientJson.text(last, "/reason");
            String until = formatTime(last, "/until");
            lines.add("%s after run %s, %s%s%s%s"
                    .formatted(
                            EndpointJsonView.toWords(ClientJson.text(last, "/state")),
                            ClientJson.text(last, "/run"),
                            formatTime(last, "/at"),
                            execution.isEmpty()
                                    ? ""
                                    : ": execution " + execution + (phase.isEmpty() ? "" : " is " + phase),
                            reason.isEmpty() ? "" : ": " + reason,
                            until.isEmpty() ? "" : ", until " + until));
        }
        return lines;
    }

    private String runLine(EndpointRunJsonView run) {
        return "%s %s %s, took %s, %s late, %s: %s"
                .formatted(
                        run.id(),
                        run.outcome(),
                        TimeFormat.formatInstant(run.startedAt(), now),
                        TimeFormat.formatDuration(run.duration()),
                        TimeFormat.formatDuration(run.lateness()),
                        run.source(),
                        run.resultText());
    }

    private String formatTime(JsonNode node, String pointer) {
        return TimeFormat.formatInstant(ClientJson.instant(node, pointer), now);
    }
}
