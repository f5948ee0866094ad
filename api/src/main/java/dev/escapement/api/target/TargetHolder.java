package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The execution that holds a target.
 *
 * @param startedAt since when it has held the target
 * @param pipelineRun the one run that it may start
 * @param targetResource only where the holder explains a skip: the target as the skipped execution wrote it
 */
public record TargetHolder(
        @Nullable String name,
        @Nullable String namespace,
        @Nullable String uid,
        @Nullable String workflowId,
        @Nullable String startedAt,
        @Nullable Run pipelineRun,
        @Nullable String targetResource,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    /**
     * The run of a holder.
     *
     * @param name kind, namespace and name of the run
     */
    public record Run(
            @Nullable String name,
            @Nullable String uid,
            @JsonAnySetter Map<String, Object> other) implements ApiRecord {}
}
