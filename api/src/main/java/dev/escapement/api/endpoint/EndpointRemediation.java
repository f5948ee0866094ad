package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workflow that an endpoint requests after failures.
 *
 * @param after how many failures in a row
 * @param workflow the id of the workflow
 * @param target what it acts on
 * @param namespace the namespace of the execution
 * @param containerImage on a cluster: the Tekton bundle, or the image of the Job
 * @param containerDigest on a cluster: pins the image
 * @param engine on a cluster: {@code tekton} or {@code job}
 * @param serviceAccountName on a cluster: the service account of the run
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EndpointRemediation(
        @Nullable Integer after,
        @Nullable String workflow,
        @Nullable String target,
        @Nullable String namespace,
        Map<String, String> parameters,
        @Nullable String containerImage,
        @Nullable String containerDigest,
        @Nullable String engine,
        @Nullable String serviceAccountName,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public EndpointRemediation {
        parameters = Copies.map(parameters);
        other = Copies.map(other);
    }
}
