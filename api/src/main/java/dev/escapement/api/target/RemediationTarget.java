package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.common.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code RemediationTarget}: the ledger entry of one target.
 *
 * @param apiVersion {@code kubernaut.ai/v1alpha1}
 * @param kind {@code RemediationTarget}
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RemediationTarget(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable ObjectMetadata metadata,
        @Nullable RemediationTargetSpec spec,
        @Nullable RemediationTargetStatus status,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    /** The value of the field {@code kind}. */
    public static final String KIND = "RemediationTarget";

    public RemediationTarget {
        other = Copies.map(other);
    }

    /** Returns a document of this version's {@code apiVersion} and {@code kind}. */
    public static RemediationTarget of(
            ObjectMetadata metadata, RemediationTargetSpec spec, RemediationTargetStatus status) {
        return new RemediationTarget(ApiGroup.API_VERSION, KIND, metadata, spec, status, Map.of());
    }
}
