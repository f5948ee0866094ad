package dev.escapement.api.event;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.execution.PipelineRunStatus;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data of a server-sent event about the progress of a running execution. It is not in the journal.
 *
 * @param type {@link #TYPE}
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProgressEvent(
        @Nullable String type,
        @Nullable ExecutionReference execution,
        @Nullable String workflow,
        @Nullable String target,
        @Nullable PipelineRunStatus pipelineRunStatus,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    /** The name of these events. */
    public static final String TYPE = "Progress";

    public ProgressEvent {
        other = Copies.map(other);
    }
}
