package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An execution that has ended.
 *
 * @param outcome {@code Completed} or {@code Failed}
 * @param reason why it failed; absent after a success
 * @param executionDeleted true if the execution was deleted before this was recorded
 * @param targetResource only where it explains a skip: the target as the skipped execution wrote it
 * @param cooldownRemaining only where it explains a skip: how long it was still to wait, rounded up to seconds
 */
public record PastExecution(
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String uid,
        @Nullable String workflowId,
        @Nullable String completedAt,
        @Nullable String outcome,
        @Nullable String reason,
        @Nullable Boolean executionDeleted,
        @Nullable String targetResource,
        @Nullable String cooldownRemaining,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {}
