package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** An event in one line. */
public final class EventLine {

    private EventLine() {}

    /** When, what, of which execution on which target, and why. */
    public static String format(ServerEvent event) {
        return "%-20s  %-21s  %s"
                .formatted(
                        formatTime(event),
                        TerminalText.singleLine(event.type()),
                        TerminalText.singleLine(subjectText(event)));
    }

    private static String formatTime(ServerEvent event) {
        return ClientJson.instant(event.data(), "/at")
                .map(at -> at.truncatedTo(ChronoUnit.SECONDS))
                .map(Instant::toString)
                .orElse("-");
    }

    private static String subjectText(ServerEvent event) {
        String execution = TargetJsonView.executionName(event.data().path("execution"));
        String target = event.text("/target");
        return (execution.isEmpty() ? "" : execution + " ")
                + (target.isEmpty() ? "" : "on " + target + ": ")
                + reasonText(event);
    }

    private static String reasonText(ServerEvent event) {
        String reason = event.text("/reason");
        return (reason.isEmpty() ? "" : reason + ": ") + event.text("/message");
    }
}
