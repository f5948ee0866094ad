package dev.escapement.server.cli.view;

import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import java.time.Instant;
import java.util.List;

/** All about one run: when, why then, what came back. */
public final class RunPage {

    private final Terminal terminal;
    private final Instant now;

    public RunPage(Terminal terminal, Instant now) {
        this.terminal = terminal;
        this.now = now;
    }

    public void print(RunView run) {
        String missed = run.text("/missed");
        String retryAfter = run.text("/retryAfterSeconds");
        new Facts(terminal)
                .add("Run", run.id())
                .add("Endpoint", run.endpoint())
                .add("Outcome", run.outcome(), Tone.of(run.outcome()))
                .add("Status", run.text("/statusCode"))
                .add("Failure", EndpointView.words(run.text("/failure")))
                .add("Error", run.text("/error"))
                .add("Planned for", time(run, "/slot"))
                .add("Started", time(run, "/startedAt"))
                .add("Late", Times.about(run.late()))
                .add("Took", Times.about(run.took()))
                .add("Attempt", run.text("/attempt"))
                .add("Worker", run.text("/worker"))
                .add("Failures", run.text("/failuresBefore") + " before, " + run.text("/failuresAfter") + " after")
                .add("Retry after", retryAfter.isEmpty() ? "" : retryAfter + "s, as the answer asked")
                .add("Missed", missed.isEmpty() ? "" : missed + " beats: " + run.text("/missedReason"))
                .section("Why then", new PlanLines(now).of(run.document().path("plan")))
                .section("Response (%s bytes)".formatted(run.text("/responseBytes")), excerpt(run))
                .print();
    }

    private static List<String> excerpt(RunView run) {
        return Printable.lines(run.text("/response")).lines().toList();
    }

    private String time(RunView run, String pointer) {
        return Json.instant(run.document(), pointer)
                .map(at -> Times.at(at, now))
                .orElse("");
    }
}
