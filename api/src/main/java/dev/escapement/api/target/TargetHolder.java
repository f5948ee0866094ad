package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The execution that holds a target.
 *
 * @param startedAt since when it has held the target
 * @param pipelineRun the one run that it may start
 * @param targetResource only where the holder explains a skip: the target as the skipped execution wrote it
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TargetHolder(
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String uid,
        @Nullable String workflowId,
        @Nullable String startedAt,
        @Nullable Run pipelineRun,
        @Nullable String targetResource,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public TargetHolder {
        other = Copies.map(other);
    }

    /**
     * The run of a holder.
     *
     * @param name kind, namespace and name of the run
     * @param uid the uid of the run
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Run(
            @Nullable String name,
            @Nullable String uid,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public Run {
            other = Copies.map(other);
        }
    }
}
