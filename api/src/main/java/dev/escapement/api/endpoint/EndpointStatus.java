package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an endpoint is doing, and when it runs next.
 *
 * @param state {@code NEW}, {@code HEALTHY}, {@code FAILING}, {@code PAUSED} or {@code ARCHIVED}
 * @param failures in a row
 * @param runs how many runs there were
 * @param pause while it is paused
 * @param runRequest the last request for a run at once
 * @param running only while it runs
 * @param nextRun absent while it runs
 * @param plan what decided the next run
 * @param remediation the last remediation
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EndpointStatus(
        @Nullable String state,
        @Nullable Integer failures,
        @Nullable Long runs,
        @Nullable LastRun lastRun,
        @Nullable AttributedTime pause,
        @Nullable AttributedTime runRequest,
        @Nullable RunningRun running,
        @Nullable NextRun nextRun,
        @Nullable ScheduleExplanation plan,
        @Nullable RemediationState remediation,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public EndpointStatus {
        other = Copies.map(other);
    }

    /**
     * The last run.
     *
     * @param slot when it was planned for
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record LastRun(
            @Nullable String id,
            @Nullable String slot,
            @Nullable String endedAt,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public LastRun {
            other = Copies.map(other);
        }
    }

    /**
     * The run that is going on.
     *
     * @param slot when it was planned for
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RunningRun(
            @Nullable String id,
            @Nullable String slot,
            @Nullable String since,
            @Nullable String worker,
            @Nullable Integer attempt,
            @Nullable String leaseUntil,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public RunningRun {
            other = Copies.map(other);
        }
    }

    /**
     * The next run.
     *
     * @param source what decided its time
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NextRun(
            @Nullable String id,
            @Nullable String at,
            @Nullable String source,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public NextRun {
            other = Copies.map(other);
        }
    }

    /**
     * What became of the last request for a remediation.
     *
     * @param run the number of the run whose failure caused it
     * @param state {@code REQUESTED}, {@code HELD_BACK} or {@code REFUSED}
     * @param execution the execution that was requested last
     * @param namespace the namespace of that execution
     * @param reason why not, in the words of the gate
     * @param until when that reason ends by itself
     * @param executionPhase only when a single endpoint is read
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RemediationState(
            @Nullable Long run,
            @Nullable String at,
            @Nullable String state,
            @Nullable String execution,
            @Nullable String namespace,
            @Nullable String reason,
            @Nullable String until,
            @Nullable String executionPhase,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public RemediationState {
            other = Copies.map(other);
        }
    }
}
