package dev.escapement.api.target;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.ObjectMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code RemediationTarget}: the ledger entry of one target.
 *
 * @param apiVersion {@code kubernaut.ai/v1alpha1}
 * @param kind {@code RemediationTarget}
 */
public record RemediationTarget(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable ObjectMetadata metadata,
        @Nullable RemediationTargetSpec spec,
        @Nullable RemediationTargetStatus status,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    /** The value of the field {@code kind}. */
    public static final String KIND = "RemediationTarget";

    /** Returns a document of this version's {@code apiVersion} and {@code kind}. */
    public static RemediationTarget of(
            ObjectMetadata metadata, RemediationTargetSpec spec, RemediationTargetStatus status) {
        return new RemediationTarget(ApiGroup.API_VERSION, KIND, metadata, spec, status, Map.of());
    }

    /**
     * Which target a {@link RemediationTarget} is about.
     *
     * @param targetResource the target in canonical form, with the kind in lower case
     */
    public record RemediationTargetSpec(
            @Nullable String targetResource, @JsonAnySetter Map<String, Object> other) implements ApiRecord {}
}
