package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Formats an event as one line: time, type, execution, target, reason and message. */
public final class EventLine {

    private EventLine() {}

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
        String execution = ExecutionJsonView.shortName(event.data().path("execution"));
        String target = event.text("/target");
        String reason = event.text("/reason");
        return (execution.isEmpty() ? "" : execution + " ")
                + (target.isEmpty() ? "" : "on " + target + ": ")
                + (reason.isEmpty() ? "" : reason + ": ")
                + event.text("/message");
    }
}
