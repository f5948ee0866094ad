package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.endpoint.EndpointStatus.NextRun;
import dev.escapement.api.endpoint.EndpointStatus.RunningRun;
import dev.escapement.common.Copies;
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
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EndpointExplanation(
        @Nullable String endpoint,
        @Nullable String now,
        @Nullable String state,
        @Nullable NextRun nextRun,
        @Nullable RunningRun running,
        @Nullable ScheduleExplanation plan,
        @Nullable String explanation,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public EndpointExplanation {
        other = Copies.map(other);
    }
}
