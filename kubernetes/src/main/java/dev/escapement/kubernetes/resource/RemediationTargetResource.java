package dev.escapement.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A ledger entry as the API server has it; cluster-scoped, because a target is the same target whatever namespace the
 * request lives in. {@link LedgerEntryCodec} reads it.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("RemediationTarget")
@Plural("remediationtargets")
@Singular("remediationtarget")
@ShortNames("rt")
@JsonIgnoreProperties(ignoreUnknown = true)
public final class RemediationTargetResource extends CustomResource<RemediationTargetSpec, RemediationTargetStatus> {

    /** What was never written is absent, not empty. */
    @Override
    @SuppressWarnings("NullAway")
    protected RemediationTargetSpec initSpec() {
        return null;
    }

    @Override
    @SuppressWarnings("NullAway")
    protected RemediationTargetStatus initStatus() {
        return null;
    }
}
