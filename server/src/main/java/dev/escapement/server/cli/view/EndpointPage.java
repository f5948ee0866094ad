package dev.escapement.server.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All that a person wants to know about one endpoint: what it is, how it does, when it runs and why then. */
public final class EndpointPage {

    private static final int LONGEST_BODY = 200;

    private final Terminal terminal;
    private final Instant now;

    public EndpointPage(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    /**
     * Prints it.
     *
     * @param runs the last ones, the newest first
     */
    public void print(EndpointView endpoint, List<RunView> runs) {
        Facts facts = new Facts(terminal)
                .add("Endpoint", endpoint.name())
                .add("Description", endpoint.text("/description"))
                .add("Calls", endpoint.text("/method") + " " + endpoint.text("/url"))
                .add("Body", Printable.line(endpoint.text("/body"), LONGEST_BODY))
                .add("Timeout", endpoint.text("/timeout"))
                .add("Signed", endpoint.text("/signingKey").isEmpty() ? "" : "yes, with a key that is not shown")
                .add("Runs", baseline(endpoint))
                .add("Never sooner", within(endpoint, "/minInterval"))
                .add("Never later", within(endpoint, "/maxInterval"))
                .add("State", endpoint.state(), Tone.of(endpoint.state()))
                .add("Paused", paused(endpoint))
                .add("Failures", endpoint.failures() == 0 ? "" : endpoint.failures() + " in a row")
                .add("Ran", ran(endpoint))
                .add("Running", running(endpoint))
                .add("Next run", next(endpoint))
                .add("Id", endpoint.id());
        facts.section("Headers", headers(endpoint.document().path("headers")));
        facts.section("Hints", hints(endpoint.document().path("hints")));
        facts.section(
                endpoint.isRunning() ? "Why it runs now" : "Why then",
                new PlanLines(now).of(endpoint.document().at("/status/plan")));
        facts.section("Remediation", remediation(endpoint));
        facts.section("Last runs", runs.stream().map(this::line).toList());
        facts.section("Next", EndpointSteps.of(endpoint));
        facts.print();
    }

    private static String baseline(EndpointView endpoint) {
        String cron = endpoint.text("/cron");
        return cron.isEmpty()
                ? "every " + endpoint.text("/interval")
                : "at %s in %s".formatted(cron, endpoint.text("/timeZone"));
    }

    private static String within(EndpointView endpoint, String pointer) {
        String bound = endpoint.text(pointer);
        return bound.isEmpty() ? "" : "than " + bound + " after a run";
    }

    private String paused(EndpointView endpoint) {
        if (!endpoint.text("/status/state").equals("PAUSED")) {
            return "";
        }
        String until =
                endpoint.pausedUntil().map(at -> "until " + Times.at(at, now)).orElse("until somebody resumes it");
        String by = endpoint.text("/status/pause/by");
        String reason = endpoint.text("/status/pause/reason");
        return until + (by.isEmpty() ? "" : ", by " + by) + (reason.isEmpty() ? "" : ": " + reason);
    }

    private String ran(EndpointView endpoint) {
        return endpoint.lastRun()
                .map(at -> "%s times, last %s".formatted(endpoint.text("/status/runs"), Times.at(at, now)))
                .orElse("never");
    }

    private String running(EndpointView endpoint) {
        return endpoint.isRunning()
                ? "since %s, by %s, attempt %s of %s"
                        .formatted(
                                endpoint.instant("/status/running/since")
                                        .map(at -> Times.at(at, now))
                                        .orElse("?"),
                                endpoint.text("/status/running/worker"),
                                endpoint.text("/status/running/attempt"),
                                endpoint.text("/status/running/id"))
                : "";
    }

    private String next(EndpointView endpoint) {
        if (endpoint.isRunning()
                || (endpoint.isResting() && endpoint.pausedUntil().isEmpty())) {
            return "";
        }
        return endpoint.nextRun()
                .map(at -> "%s, %s".formatted(Times.at(at, now), endpoint.source()))
                .orElse("never");
    }

    private static List<String> headers(JsonNode headers) {
        return headers.properties().stream()
                .map(header -> header.getKey() + ": " + header.getValue().asText())
                .toList();
    }

    private List<String> hints(JsonNode hints) {
        List<String> lines = new ArrayList<>();
        for (JsonNode hint : hints) {
            String interval = Json.text(hint, "/interval");
            lines.add("%s: %s, until %s, by %s: %s"
                    .formatted(
                            EndpointView.words(Json.text(hint, "/state")),
                            interval.isEmpty() ? "once at " + time(hint, "/at") : "every " + interval,
                            time(hint, "/expiresAt"),
                            Json.text(hint, "/by"),
                            Json.text(hint, "/reason")));
        }
        return lines;
    }

    private List<String> remediation(EndpointView endpoint) {
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
            String execution = Json.text(last, "/execution");
            String phase = Json.text(last, "/executionPhase");
            String reason = Json.text(last, "/reason");
            lines.add("%s after run %s, %s%s%s%s"
                    .formatted(
                            EndpointView.words(Json.text(last, "/state")),
                            Json.text(last, "/run"),
                            time(last, "/at"),
                            execution.isEmpty()
                                    ? ""
                                    : ": execution " + execution + (phase.isEmpty() ? "" : " is " + phase),
                            reason.isEmpty() ? "" : ": " + reason,
                            Optional.of(time(last, "/until"))
                                    .filter(until -> !until.isEmpty())
                                    .map(until -> ", until " + until)
                                    .orElse("")));
        }
        return lines;
    }

    private String line(RunView run) {
        return "%s %s %s, took %s, %s late, %s: %s"
                .formatted(
                        run.id(),
                        run.outcome(),
                        run.startedAt().map(at -> Times.at(at, now)).orElse("?"),
                        Times.about(run.took()),
                        Times.about(run.late()),
                        run.source(),
                        run.answer());
    }

    private String time(JsonNode node, String pointer) {
        return Json.instant(node, pointer).map(at -> Times.at(at, now)).orElse("");
    }
}
