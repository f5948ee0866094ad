package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The remediation request that an execution belongs to. It is kept for correlation and not looked up.
 *
 * @param namespace absent for the namespace of the execution
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RemediationRequestReference(
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable String uid,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public RemediationRequestReference {
        other = Copies.map(other);
    }
}
