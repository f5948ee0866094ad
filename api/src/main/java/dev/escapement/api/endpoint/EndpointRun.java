package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of an endpoint.
 *
 * @param id sent as {@code Idempotency-Key}
 * @param endpoint the name of the endpoint at that time
 * @param number from 1
 * @param attempt how many workers had begun it
 * @param outcome {@code SUCCEEDED} or {@code FAILED}
 * @param failure a code such as {@code TIMEOUT}; absent after a success
 * @param statusCode absent without a response
 * @param slot when it was planned for
 * @param dueAt when it could run at the earliest
 * @param source what decided its time
 * @param response how the response begins
 * @param missed planned runs that were missed before this one
 */
public record EndpointRun(
        @Nullable String id,
        @Nullable String endpoint,
        @Nullable String endpointId,
        @Nullable Long number,
        @Nullable Integer attempt,
        @Nullable String outcome,
        @Nullable String failure,
        @Nullable Integer statusCode,
        @Nullable String error,
        @Nullable String slot,
        @Nullable String dueAt,
        @Nullable String startedAt,
        @Nullable String endedAt,
        @Nullable Long latenessMillis,
        @Nullable Long durationMillis,
        @Nullable String worker,
        @Nullable String source,
        @Nullable Integer failuresBefore,
        @Nullable Integer failuresAfter,
        @Nullable Long responseBytes,
        @Nullable String response,
        @Nullable Long retryAfterSeconds,
        @Nullable Long missed,
        @Nullable String missedReason,
        @Nullable ScheduleExplanation plan,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {}
