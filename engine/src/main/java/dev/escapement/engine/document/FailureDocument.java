package dev.escapement.engine.document;

import dev.escapement.backoff.DurationText;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;

/** Why an execution failed, as a document. */
final class FailureDocument {

    private FailureDocument() {}

    static DocumentTree write(Failure failure) {
        return new DocumentTree()
                .put("reason", failure.reason().name())
                .put("message", failure.message())
                .put("failedAt", failure.failedAt())
                .put("failedTaskName", failure.failedTaskName())
                .put("failedTaskIndex", failure.failedTaskIndex())
                .put("failedStepName", failure.failedStepName())
                .put("exitCode", failure.exitCode())
                .put(
                        "executionTimeBeforeFailure",
                        failure.executionTimeBeforeFailure().map(DurationText::format))
                .put("naturalLanguageSummary", failure.naturalLanguageSummary())
                .put("wasExecutionFailure", failure.wasExecutionFailure())
                .put("requiresManualReview", failure.requiresManualReview());
    }

    static Failure read(DocumentFields fields) {
        return new Failure(
                reason(fields),
                fields.text("message"),
                ResourceDocument.instant(fields, "failedAt"),
                fields.optionalText("failedTaskName"),
                fields.whole("failedTaskIndex").map(Math::toIntExact),
                fields.optionalText("failedStepName"),
                fields.whole("exitCode").map(Math::toIntExact),
                fields.parse("executionTimeBeforeFailure", DurationText::parse),
                fields.text("naturalLanguageSummary"),
                // Whether that was seen or only could not be ruled out is in the summary; it counts the same.
                fields.truth("wasExecutionFailure") ? StartStatus.UNKNOWN : StartStatus.NO);
    }

    private static FailureReason reason(DocumentFields fields) {
        return fields.parse("reason", FailureReason::valueOf).orElse(FailureReason.Unknown);
    }
}
