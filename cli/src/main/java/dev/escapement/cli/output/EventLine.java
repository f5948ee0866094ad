package dev.escapement.cli.output;

import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Formats an event as one line: time, type, execution, target, reason and message. */
public final class EventLine {

    private EventLine() {}

    public static String format(ServerEvent event) {
        Optional<Instant> time = ClientJson.instant(event.data(), "/at");
        String type = TerminalText.singleLine(event.type());
        return "%-20s  %-21s  "
                        .formatted(
                                time.map(at -> at.truncatedTo(ChronoUnit.SECONDS)
                                                .toString())
                                        .orElse("-"),
                                type)
                + TerminalText.singleLine(subjectText(event));
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
