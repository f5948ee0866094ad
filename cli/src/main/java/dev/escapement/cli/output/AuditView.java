package dev.escapement.cli.output;

import static dev.escapement.cli.client.ClientJson.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.audit.AuditEntry;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.output.terminal.Table;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TimeFormat;
import java.time.Instant;
import java.util.List;

/**
 * An entry of the audit trail, and what commands show of it: many as a table, one with all details.
 *
 * @param document as the server sent it, with the fields that this version does not know
 */
public record AuditView(JsonNode document, AuditEntry entry, AuditRecord record) {

    public static AuditView of(JsonNode document) {
        AuditEntry entry = ClientJson.read(document, AuditEntry.class);
        return new AuditView(document, entry, ClientJson.orEmpty(entry.record(), AuditRecord.class));
    }

    public static Table buildTable(Terminal terminal, boolean wide, Instant now, List<AuditView> entries) {
        return new Table.Columns<AuditView>(wide)
                .add("NUMBER", view -> text(view.entry.sequence()))
                .add("WHEN", view -> TimeFormat.formatPast(ClientJson.instant(view.record.occurredAt()), wide, now))
                .add("TYPE", view -> text(view.record.eventType()))
                .add("EXECUTION", view -> text(view.record.execution()))
                .add("TARGET", view -> text(view.record.targetResource()))
                .add("ACTOR", view -> text(view.record.actor()))
                .add("REASON", view -> text(view.record.reason()))
                .addWide("ID", AuditView::id)
                .addWide("MESSAGE", view -> text(view.record.message()))
                .build(terminal, entries);
    }

    /** Prints all about the record, and its place in the chain. */
    public void print(Terminal terminal, Instant now) {
        new FieldList(terminal)
                .add("Record", id())
                .add("Type", text(record.eventType()))
                .add("When", TimeFormat.formatInstant(ClientJson.instant(record.occurredAt()), now))
                .add("Actor", text(record.actor()))
                .add("Execution", text(record.execution()))
                .add("Target", text(record.targetResource()))
                .add("Workflow", text(record.workflowId()))
                .add("Remediation", text(record.remediationId()))
                .add("Correlation", text(record.correlationId()))
                .add("Reason", text(record.reason()))
                .add("Conflict", text(record.conflictingWorkflow()))
                .add("Recent", text(record.recentRemediation()))
                .add("Message", text(record.message()))
                .addSection(
                        "Details",
                        record.details().entrySet().stream()
                                .map(detail -> detail.getKey() + ": " + detail.getValue())
                                .toList())
                .addSection(
                        "Chain",
                        List.of(
                                "number: " + text(entry.sequence()),
                                "hash: " + text(entry.hash()),
                                "previous: " + text(entry.previousHash())))
                .print();
    }

    public String id() {
        return text(record.id());
    }
}
