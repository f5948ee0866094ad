package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to run a workflow: the field {@code executionConfig}. Everything has a default.
 *
 * @param timeout a duration such as {@code 5m} or {@code PT5M}
 * @param serviceAccountName the service account of the run
 * @param engine {@code tekton} or {@code job}; absent for the default
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ExecutionSettings(
        @Nullable String timeout,
        @Nullable String serviceAccountName,
        @Nullable String engine,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public ExecutionSettings {
        other = Copies.map(other);
    }
}
