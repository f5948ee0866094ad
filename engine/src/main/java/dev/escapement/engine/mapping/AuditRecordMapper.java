package dev.escapement.engine.mapping;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionDetail;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps transitions to audit records. A pure function: the same transition gives the same record everywhere. */
public final class AuditRecordMapper {

    /** Details that are fields of the record. */
    private static final Set<TransitionDetail> FIELDS = Set.of(
            TransitionDetail.ACTOR,
            TransitionDetail.REMEDIATION_ID,
            TransitionDetail.CLEARED_EXECUTIONS,
            TransitionDetail.CONFLICTING_EXECUTION,
            TransitionDetail.RECENT_EXECUTION);

    private AuditRecordMapper() {}

    public static AuditRecord toRecord(Transition transition) {
        Optional<String> remediation = transition.detail(TransitionDetail.REMEDIATION_ID);
        Optional<String> uid = transition.execution().map(ExecutionRef::uid);
        boolean skipped = transition.type() == TransitionType.WorkflowSkipped;
        return new AuditRecord(
                transition.id(),
                transition.type().name(),
                transition.at().toString(),
                transition.correlationId(),
                detail(transition, TransitionDetail.ACTOR),
                transition
                        .execution()
                        .map(ExecutionRef::toString)
                        .or(() -> transition.detail(TransitionDetail.CLEARED_EXECUTIONS))
                        .orElse(null),
                uid.orElse(null),
                remediation.orElse(null),
                transition.workflow(),
                transition.target(),
                transition.reason(),
                skipped ? transition.reason() : null,
                detail(transition, TransitionDetail.CONFLICTING_EXECUTION),
                detail(transition, TransitionDetail.RECENT_EXECUTION),
                transition.message(),
                otherDetails(transition),
                Map.of());
    }

    private static @Nullable String detail(Transition transition, TransitionDetail key) {
        return transition.detail(key).orElse(null);
    }

    private static SortedMap<String, String> otherDetails(Transition transition) {
        SortedMap<String, String> details = new TreeMap<>(transition.details());
        FIELDS.forEach(field -> details.remove(field.key()));
        return details;
    }
}
