package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.audit.AuditDeadLetter;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/** An audit record that the sink refused, as a row of a table. */
public record DeadLetterView(AuditDeadLetter letter, AuditRecord record) {

    public static DeadLetterView of(JsonNode document) {
        AuditDeadLetter letter = ClientJson.read(document, AuditDeadLetter.class);
        return new DeadLetterView(letter, ClientJson.orEmpty(letter.record(), AuditRecord.class));
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<DeadLetterView> letters) {
        return new Table.Columns<DeadLetterView>(wide)
                .add("NUMBER", view -> text(view.letter.sequence()))
                .add("REFUSED", view -> TimeFormat.formatPast(ClientJson.instant(view.letter.refusedAt()), wide, now))
                .add("STATUS", view -> text(view.letter.status()))
                .add("TYPE", view -> text(view.record.eventType()))
                .add("EXECUTION", view -> text(view.record.execution()))
                .addWide("ID", DeadLetterView::id)
                .add("ERROR", view -> text(view.letter.error()))
                .build(terminal, letters);
    }

    public String id() {
        return text(record.id());
    }
}
