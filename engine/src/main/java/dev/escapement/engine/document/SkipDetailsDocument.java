package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus.SkipDetails;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.EndedExecution;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Why an execution was skipped, as a document. */
final class SkipDetailsDocument {

    private SkipDetailsDocument() {}

    static DocumentTree write(Execution execution, SkipDetails details) {
        String target = execution.spec().targetResource();
        return new DocumentTree()
                .put("reason", details.reason().name())
                .put("message", details.message())
                .put("skippedAt", details.skippedAt())
                .put("nextAllowedExecution", details.allowedAt())
                .put(
                        "conflictingWorkflow",
                        details.conflictingHolder()
                                .map(holder -> ResourceDocument.holder(holder)
                                        .put("targetResource", target)
                                        .fields()))
                .put("recentRemediation", details.recentExecution().map(past -> recent(past, target, details)));
    }

    private static Object recent(EndedExecution past, String target, SkipDetails details) {
        return ResourceDocument.past(past)
                .put("targetResource", target)
                .put("cooldownRemaining", details.allowedAt().map(at -> remaining(details.skippedAt(), at)))
                .fields();
    }

    /** Rounded up to whole seconds: whoever waits as long as they are told must not come too early. */
    private static String remaining(Instant now, Instant at) {
        Duration exact = Duration.between(now, at);
        return DurationText.format(Duration.ofSeconds(exact.getSeconds() + (exact.getNano() > 0 ? 1 : 0)));
    }

    static SkipDetails read(DocumentFields fields) {
        Optional<SkipReason> reason = fields.parse("reason", SkipReason::valueOf);
        if (reason.isEmpty()) {
            fields.problem("reason", "is missing");
        }
        return new SkipDetails(
                reason.orElse(SkipReason.ResourceBusy),
                fields.text("message"),
                ResourceDocument.instant(fields, "skippedAt"),
                fields.optionalObject("conflictingWorkflow").map(ResourceDocument::holder),
                fields.optionalObject("recentRemediation").map(ResourceDocument::past),
                fields.instant("nextAllowedExecution"));
    }
}
