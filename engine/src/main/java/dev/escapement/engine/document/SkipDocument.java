package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status.SkipDetails;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Why an execution was skipped, as a document. */
final class SkipDocument {

    private SkipDocument() {}

    static Tree write(Execution execution, SkipDetails details) {
        String target = execution.spec().targetResource();
        return new Tree()
                .put("reason", details.reason().name())
                .put("message", details.message())
                .put("skippedAt", details.skippedAt())
                .put("nextAllowedExecution", details.allowedAt())
                .put(
                        "conflictingWorkflow",
                        details.conflicting()
                                .map(holder -> Resource.holder(holder)
                                        .put("targetResource", target)
                                        .fields()))
                .put("recentRemediation", details.recent().map(past -> recent(past, target, details)));
    }

    private static Object recent(Past past, String target, SkipDetails details) {
        return Resource.past(past)
                .put("targetResource", target)
                .put("cooldownRemaining", details.allowedAt().map(at -> remaining(details.skippedAt(), at)))
                .fields();
    }

    /** Rounded up to whole seconds: whoever waits as long as they are told must not come too early. */
    private static String remaining(Instant now, Instant at) {
        Duration exact = Duration.between(now, at);
        return DurationText.format(Duration.ofSeconds(exact.getSeconds() + (exact.getNano() > 0 ? 1 : 0)));
    }

    static SkipDetails read(Fields fields) {
        Optional<SkipReason> reason = fields.parse("reason", SkipReason::valueOf);
        if (reason.isEmpty()) {
            fields.problem("reason", "is missing");
        }
        return new SkipDetails(
                reason.orElse(SkipReason.ResourceBusy),
                fields.text("message"),
                Resource.instant(fields, "skippedAt"),
                fields.optionalObject("conflictingWorkflow").map(Resource::holder),
                fields.optionalObject("recentRemediation").map(Resource::past),
                fields.instant("nextAllowedExecution"));
    }
}
