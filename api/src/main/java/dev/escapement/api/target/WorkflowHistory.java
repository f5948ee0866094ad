package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one workflow on a target.
 *
 * @param retry failed starts of this workflow in a row
 * @param block the execution that failed halfway and blocks the target
 * @param completed the last success, until its cooldown is over
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkflowHistory(
        @Nullable String workflowId,
        @Nullable RetryState retry,
        @Nullable PastExecution block,
        @Nullable PastExecution completed,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public WorkflowHistory {
        other = Copies.map(other);
    }
}
