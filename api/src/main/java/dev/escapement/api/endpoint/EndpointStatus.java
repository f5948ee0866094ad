package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.api.endpoint.Endpoint.AttributedTime;
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
 */
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
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    /**
     * The last run.
     *
     * @param slot when it was planned for
     */
    public record LastRun(
            @Nullable String id,
            @Nullable String slot,
            @Nullable String endedAt,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /**
     * The run that is going on.
     *
     * @param slot when it was planned for
     */
    public record RunningRun(
            @Nullable String id,
            @Nullable String slot,
            @Nullable String since,
            @Nullable String worker,
            @Nullable Integer attempt,
            @Nullable String leaseUntil,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /**
     * The next run.
     *
     * @param source what decided its time
     */
    public record NextRun(
            @Nullable String id,
            @Nullable String at,
            @Nullable String source,
            @JsonAnySetter Map<String, Object> other) implements ExplicitRecord {}

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
     */
    public record RemediationState(
            @Nullable Long run,
            @Nullable String at,
            @Nullable String state,
            @Nullable String execution,
            @Nullable String namespace,
            @Nullable String reason,
            @Nullable String until,
            @Nullable String executionPhase,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}
}
