package dev.escapement.server.events;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.document.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A server-sent event.
 *
 * @param id the position in the journal; empty for progress, which is not in it
 * @param type the event's name
 * @param data one line of JSON
 */
public record FeedEvent(String id, String type, String data) {

    /** Type of the events about the progress of a run. */
    public static final String PROGRESS = "Progress";

    public static FeedEvent of(Journal.Entry entry) {
        return new FeedEvent(
                entry.position(),
                entry.transition().type().name(),
                JsonWriter.write(transitionDocument(entry.transition())));
    }

    /** Returns an event about the progress of a running execution. */
    @SuppressWarnings("unchecked") // The document is ours.
    public static FeedEvent ofProgress(Execution execution) {
        Map<String, Object> document = ExecutionDocument.write(execution, "");
        Map<String, Object> status = (Map<String, Object>) document.get("status");
        Map<String, Object> progress = new LinkedHashMap<>();
        progress.put("type", PROGRESS);
        progress.put("execution", refDocument(execution.ref()));
        progress.put("workflow", execution.workflowId());
        progress.put("target", execution.spec().targetResource());
        progress.put("pipelineRunStatus", Optional.ofNullable(status).map(known -> known.get("pipelineRunStatus")));
        return new FeedEvent("", PROGRESS, JsonWriter.write(progress));
    }

    private static Map<String, Object> transitionDocument(Transition transition) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", transition.type().name());
        document.put("at", transition.at().toString());
        document.put("execution", transition.execution().map(FeedEvent::refDocument));
        document.put("workflow", transition.workflow());
        document.put("target", transition.target());
        document.put("reason", transition.reason());
        document.put("message", transition.message());
        document.put("details", transition.details());
        return document;
    }

    private static Map<String, Object> refDocument(ExecutionRef ref) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("namespace", ref.namespace());
        document.put("name", ref.name());
        document.put("uid", ref.uid());
        return document;
    }

    /** Encodes the event for the stream. JSON has no raw line breaks, so the data cannot forge a second event. */
    public byte[] encode() {
        String text = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
