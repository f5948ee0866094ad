package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run.
 *
 * @param status {@code Running}, {@code Succeeded} or {@code Failed}
 * @param reason the executor's own reason for the end of a failed run
 * @param message the executor's message
 * @param totalTasks 0 while it is not known
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PipelineRunStatus(
        @Nullable String status,
        @Nullable String reason,
        @Nullable String message,
        @Nullable Integer completedTasks,
        @Nullable Integer totalTasks,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public PipelineRunStatus {
        other = Copies.map(other);
    }
}
