package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.api.endpoint.EndpointStatus.NextRun;
import dev.escapement.api.endpoint.EndpointStatus.RunningRun;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When an endpoint runs next, and why then.
 *
 * @param endpoint its name
 * @param now the time of the answer
 * @param nextRun absent while it runs
 * @param running only while it runs
 * @param explanation a sentence per line
 */
public record EndpointExplanation(
        @Nullable String endpoint,
        @Nullable String now,
        @Nullable String state,
        @Nullable NextRun nextRun,
        @Nullable RunningRun running,
        @Nullable ScheduleExplanation plan,
        @Nullable String explanation,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {}
