package dev.escapement.api.execution;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workflow to run.
 *
 * @param workflowId the id of the workflow
 * @param version the version of the workflow
 * @param containerImage the Tekton bundle, or the image of the Job
 * @param containerDigest pins the image, such as {@code sha256:…}
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record WorkflowReference(
        @Nullable String workflowId,
        @Nullable String version,
        @Nullable String containerImage,
        @Nullable String containerDigest,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public WorkflowReference {
        other = Copies.map(other);
    }
}
