package dev.escapement.server.cli.view;

import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.text.Printable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** An event in one line. */
public final class EventText {

    private EventText() {}

    /** When, what, of which execution on which target, and why. */
    public static String of(ServerEvent event) {
        return "%-20s  %-21s  %s".formatted(time(event), Printable.line(event.type()), Printable.line(about(event)));
    }

    private static String time(ServerEvent event) {
        return Json.instant(event.data(), "/at")
                .map(at -> at.truncatedTo(ChronoUnit.SECONDS))
                .map(Instant::toString)
                .orElse("-");
    }

    private static String about(ServerEvent event) {
        String execution = TargetView.execution(event.data().path("execution"));
        String target = event.text("/target");
        return (execution.isEmpty() ? "" : execution + " ")
                + (target.isEmpty() ? "" : "on " + target + ": ")
                + why(event);
    }

    private static String why(ServerEvent event) {
        String reason = event.text("/reason");
        return (reason.isEmpty() ? "" : reason + ": ") + event.text("/message");
    }
}
