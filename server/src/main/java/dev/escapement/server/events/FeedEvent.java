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
 * One piece of news as a server-sent event.
 *
 * @param id the place in the journal; empty for what is not in it
 * @param type the event's name
 * @param data one line of JSON
 */
public record FeedEvent(String id, String type, String data) {

    /** The name of the events that tell how far a run is. */
    public static final String PROGRESS = "Progress";

    /** A transition. */
    public static FeedEvent of(Journal.Entry entry) {
        return new FeedEvent(
                entry.position(),
                entry.transition().type().name(),
                JsonWriter.write(transitionDocument(entry.transition())));
    }

    /** How far a running execution is. */
    @SuppressWarnings("unchecked") // The document is ours.
    public static FeedEvent ofProgress(Execution execution) {
        Map<String, Object> document = ExecutionDocument.write(execution, "");
        Map<String, Object> status = (Map<String, Object>) document.get("status");
        Map<String, Object> news = new LinkedHashMap<>();
        news.put("type", PROGRESS);
        news.put("execution", refDocument(execution.ref()));
        news.put("workflow", execution.workflowId());
        news.put("target", execution.spec().targetResource());
        news.put("pipelineRunStatus", Optional.ofNullable(status).map(known -> known.get("pipelineRunStatus")));
        return new FeedEvent("", PROGRESS, JsonWriter.write(news));
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

    /** As it goes over the wire. JSON has no raw line breaks, so that the data cannot forge a second event. */
    public byte[] encode() {
        String text = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
