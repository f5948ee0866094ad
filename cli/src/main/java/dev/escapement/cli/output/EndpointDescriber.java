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
import java.util.Optional;

/** All that a person wants to know about one endpoint: what it is, how it does, when it runs and why then. */
public final class EndpointDescriber {

    private static final int MAX_BODY_LENGTH = 200;

    private final Terminal terminal;
    private final Instant now;

    public EndpointDescriber(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /**
     * Prints it.
     *
     * @param runs the last ones, the newest first
     */
    public void print(EndpointJsonView endpoint, List<EndpointRunJsonView> runs) {
        FieldList facts = new FieldList(terminal)
                .add("Endpoint", endpoint.name())
                .add("Description", endpoint.text("/description"))
                .add("Calls", endpoint.text("/method") + " " + endpoint.text("/url"))
                .add("Body", TerminalText.singleLine(endpoint.text("/body"), MAX_BODY_LENGTH))
                .add("Timeout", endpoint.text("/timeout"))
                .add("Signed", endpoint.text("/signingKey").isEmpty() ? "" : "yes, with a key that is not shown")
                .add("Runs", scheduleText(endpoint))
                .add("Never sooner", boundText(endpoint, "/minInterval"))
                .add("Never later", boundText(endpoint, "/maxInterval"))
                .add("State", endpoint.state(), TerminalStyle.ofPhase(endpoint.state()))
                .add("Paused", pauseText(endpoint))
                .add("Failures", endpoint.failures() == 0 ? "" : endpoint.failures() + " in a row")
                .add("Ran", lastRunText(endpoint))
                .add("Running", currentRunText(endpoint))
                .add("Next run", nextRunText(endpoint))
                .add("Id", endpoint.id());
        facts.addSection("Headers", headerLines(endpoint.document().path("headers")));
        facts.addSection("Hints", hintLines(endpoint.document().path("hints")));
        facts.addSection(
                endpoint.isRunning() ? "Why it runs now" : "Why then",
                new PlanExplanation(now).lines(endpoint.document().at("/status/plan")));
        facts.addSection("Remediation", remediationLines(endpoint));
        facts.addSection("Last runs", runs.stream().map(this::runLine).toList());
        facts.addSection("Next", EndpointSuggestions.commandsFor(endpoint));
        facts.print();
    }

    private static String scheduleText(EndpointJsonView endpoint) {
        String cron = endpoint.text("/cron");
        return cron.isEmpty()
                ? "every " + endpoint.text("/interval")
                : "at %s in %s".formatted(cron, endpoint.text("/timeZone"));
    }

    private static String boundText(EndpointJsonView endpoint, String pointer) {
        String bound = endpoint.text(pointer);
        return bound.isEmpty() ? "" : "than " + bound + " after a run";
    }

    private String pauseText(EndpointJsonView endpoint) {
        if (!endpoint.text("/status/state").equals("PAUSED")) {
            return "";
        }
        String until = endpoint.pausedUntil()
                .map(at -> "until " + TimeFormat.formatInstant(at, now))
                .orElse("until somebody resumes it");
        String by = endpoint.text("/status/pause/by");
        String reason = endpoint.text("/status/pause/reason");
        return until + (by.isEmpty() ? "" : ", by " + by) + (reason.isEmpty() ? "" : ": " + reason);
    }

    private String lastRunText(EndpointJsonView endpoint) {
        return endpoint.lastRun()
                .map(at ->
                        "%s times, last %s".formatted(endpoint.text("/status/runs"), TimeFormat.formatInstant(at, now)))
                .orElse("never");
    }

    private String currentRunText(EndpointJsonView endpoint) {
        return endpoint.isRunning()
                ? "since %s, by %s, attempt %s of %s"
                        .formatted(
                                endpoint.instant("/status/running/since")
                                        .map(at -> TimeFormat.formatInstant(at, now))
                                        .orElse("?"),
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
            lines.add("%s after run %s, %s%s%s%s"
                    .formatted(
                            EndpointJsonView.toWords(ClientJson.text(last, "/state")),
                            ClientJson.text(last, "/run"),
                            formatTime(last, "/at"),
                            execution.isEmpty()
                                    ? ""
                                    : ": execution " + execution + (phase.isEmpty() ? "" : " is " + phase),
                            reason.isEmpty() ? "" : ": " + reason,
                            Optional.of(formatTime(last, "/until"))
                                    .filter(until -> !until.isEmpty())
                                    .map(until -> ", until " + until)
                                    .orElse("")));
        }
        return lines;
    }

    private String runLine(EndpointRunJsonView run) {
        return "%s %s %s, took %s, %s late, %s: %s"
                .formatted(
                        run.id(),
                        run.outcome(),
                        run.startedAt()
                                .map(at -> TimeFormat.formatInstant(at, now))
                                .orElse("?"),
                        TimeFormat.formatDuration(run.duration()),
                        TimeFormat.formatDuration(run.lateness()),
                        run.source(),
                        run.resultText());
    }

    private String formatTime(JsonNode node, String pointer) {
        return ClientJson.instant(node, pointer)
                .map(at -> TimeFormat.formatInstant(at, now))
                .orElse("");
    }
}
