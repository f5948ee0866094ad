package dev.escapement.server.events;

import dev.escapement.api.event.ProgressEvent;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.mapping.TransitionMapper;
import dev.escapement.engine.port.Journal;
import java.nio.charset.StandardCharsets;
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

    /** Returns the event of a transition. */
    public static FeedEvent of(Journal.Entry entry) {
        return new FeedEvent(
                entry.position(),
                entry.transition().type().name(),
                Json.write(TransitionMapper.toDocument(entry.transition())));
    }

    /** Returns the event of the progress of a running execution. */
    public static FeedEvent ofProgress(Execution execution) {
        ProgressEvent event = new ProgressEvent(
                ProgressEvent.TYPE,
                TransitionMapper.toDocument(execution.ref()),
                execution.workflowId(),
                execution.spec().targetResource(),
                Optional.ofNullable(ExecutionMapper.toDocument(execution, "").status())
                        .map(WorkflowExecutionStatus::pipelineRunStatus)
                        .orElse(null),
                Map.of());
        return new FeedEvent("", ProgressEvent.TYPE, Json.write(event));
    }

    /** Encodes the event for the stream. JSON has no raw line breaks, so the data cannot forge a second event. */
    public byte[] encode() {
        String text = (id.isEmpty() ? "" : "id: " + id + "\n") + "event: " + type + "\ndata: " + data + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
