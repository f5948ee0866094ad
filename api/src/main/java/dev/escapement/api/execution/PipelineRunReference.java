package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run of an execution.
 *
 * @param kind such as {@code PipelineRun} or {@code Job}
 * @param namespace the namespace of the run
 * @param name the name of the run
 * @param uid the uid of the run
 * @param epoch the epoch of the target's ledger entry when the run was committed
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PipelineRunReference(
        @Nullable String kind,
        @Nullable String namespace,
        @Nullable String name,
        @Nullable String uid,
        @Nullable Long epoch,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public PipelineRunReference {
        other = Copies.map(other);
    }
}
