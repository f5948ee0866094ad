package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.ClearanceRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a target, and what is remembered of it.
 *
 * @param state {@code Held}, {@code Blocked}, {@code Exhausted}, {@code BackingOff}, {@code CoolingDown} or
 *     {@code Free}
 * @param until when that state ends by itself
 * @param epoch grows with every acquisition and every clearance
 * @param holder the execution that holds the target
 * @param retry failed starts in a row, of all workflows
 * @param workflows what is remembered of each workflow
 * @param clearance the last clearance
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RemediationTargetStatus(
        @Nullable String state,
        @Nullable String until,
        @Nullable Long epoch,
        @Nullable TargetHolder holder,
        @Nullable RetryState retry,
        List<WorkflowHistory> workflows,
        @Nullable ClearanceRecord clearance,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public RemediationTargetStatus {
        workflows = Copies.list(workflows);
        other = Copies.map(other);
    }

    /** Returns the same with another state. */
    public RemediationTargetStatus withState(String changed, @Nullable String end) {
        return new RemediationTargetStatus(changed, end, epoch, holder, retry, workflows, clearance, other);
    }
}
