package dev.escapement.api.event;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.api.event.TransitionEvent.ExecutionReference;
import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data of a server-sent event about the progress of a running execution. It is not in the journal.
 *
 * @param type {@link #TYPE}
 */
public record ProgressEvent(
        @Nullable String type,
        @Nullable ExecutionReference execution,
        @Nullable String workflow,
        @Nullable String target,
        @Nullable PipelineRunStatus pipelineRunStatus,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    /** The name of these events. */
    public static final String TYPE = "Progress";
}
