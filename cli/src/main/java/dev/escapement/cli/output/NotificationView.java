package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A notification, and what commands show of it: many as a table, one with its text and its attempts.
 *
 * @param document as the server sent it
 */
public record NotificationView(JsonNode document) {

    public static NotificationView of(JsonNode document) {
        return new NotificationView(document);
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<NotificationView> notifications) {
        return new Table.Columns<NotificationView>(wide)
                .add("NAME", NotificationView::name)
                .add("SEVERITY", view -> view.field("/spec/severity"))
                .add("PHASE", view -> view.field("/status/phase"))
                .add("CREATED", view -> view.time("/metadata/creationTimestamp", now))
                .add("SUBJECT", view -> view.field("/spec/subject"))
                .build(terminal, notifications);
    }

    public String name() {
        return field("/metadata/name");
    }

    private String field(String pointer) {
        return text(document, pointer);
    }

    private String time(String pointer, Instant now) {
        String given = field(pointer);
        return given.isEmpty() ? "" : TimeFormat.formatInstant(Instant.parse(given), now);
    }

    /** Prints the text, the channels and the attempts. */
    public void print(Terminal terminal, Instant now) {
        List<String> attempts = new ArrayList<>();
        for (JsonNode attempt : document.at("/status/attempts")) {
            String error = ClientJson.text(attempt, "/error");
            attempts.add("%s %s %s: %s%s"
                    .formatted(
                            ClientJson.text(attempt, "/at"),
                            ClientJson.text(attempt, "/channel"),
                            "attempt " + attempt.path("number").asInt(),
                            ClientJson.text(attempt, "/outcome"),
                            error.isEmpty() ? "" : " (" + error + ")"));
        }
        List<String> channels = new ArrayList<>();
        document.at("/spec/channels").forEach(channel -> channels.add(channel.asText()));
        new FieldList(terminal)
                .add("Notification", name())
                .add("Event", field("/spec/eventType"))
                .add("Severity", field("/spec/severity"))
                .add("Phase", field("/status/phase"))
                .add("Created", time("/metadata/creationTimestamp", now))
                .add("Channels", String.join(", ", channels))
                .add("Next attempt", time("/status/nextAttemptAt", now))
                .add("Completed", time("/status/completedAt", now))
                .add("Subject", field("/spec/subject"))
                .addSection("Message", field("/spec/message").lines().toList())
                .addSection("Attempts", attempts)
                .print();
    }
}
