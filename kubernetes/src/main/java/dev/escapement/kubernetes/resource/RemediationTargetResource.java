package dev.escapement.kubernetes.resource;

import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A ledger entry as the API server has it; cluster-scoped, because a target is the same target whatever namespace the
 * request lives in. {@link LedgerEntryCodec} reads it.
 */
@Group("kubernaut.ai")
@Version("v1alpha1")
@Kind("RemediationTarget")
public final class RemediationTargetResource extends SparseResource<RemediationTargetSpec, RemediationTargetStatus> {}
