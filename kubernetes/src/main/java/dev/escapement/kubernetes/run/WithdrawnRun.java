package dev.escapement.kubernetes.run;

import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why and when a run was withdrawn before anything of it ran. Stored as an annotation of the run, in the same patch
 * that prevents its start, so that a crash does not lose it.
 *
 * @param end how the run counts as ended
 * @param httpCode of the refusal, if there was one
 */
public record WithdrawnRun(
        String at,
        String end,
        String reason,
        String message,
        @Nullable Integer httpCode) {

    static WithdrawnRun of(RunFacts facts, Instant at) {
        return new WithdrawnRun(
                at.toString(),
                facts.end().name(),
                facts.reason(),
                SafeText.sanitize(facts.message(), Failure.MAX_MESSAGE_LENGTH),
                facts.httpCode().orElse(null));
    }

    /** Returns why a run was withdrawn; empty if it was not, or if the annotation was not written by the operator. */
    static Optional<WithdrawnRun> of(HasMetadata run) {
        return RunLabels.annotation(run, RunLabels.WITHDRAWN).flatMap(WithdrawnRun::parse);
    }

    private static Optional<WithdrawnRun> parse(String text) {
        try {
            WithdrawnRun withdrawn = Json.read(text, WithdrawnRun.class);
            withdrawn.facts();
            return Optional.of(withdrawn);
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Returns the message of the cancellation that stopped a run, or that withdrew it too late: its executor had just
     * begun with it. Empty if it was not cancelled.
     */
    public static Optional<String> cancellationMessage(HasMetadata run) {
        return RunLabels.cancelledBy(run)
                .map(by -> "cancelled by " + by)
                .or(() -> of(run).filter(withdrawn -> withdrawn.end().equals(RunEnd.CANCELLED.name()))
                        .map(WithdrawnRun::message));
    }

    String toJson() {
        return Json.write(this);
    }

    Instant time() {
        return Instant.parse(at);
    }

    /** Returns the facts of its failure. It is certain that nothing ran only if nothing of it was found afterwards. */
    RunFacts facts() {
        RunFacts facts = RunFacts.of(RunEnd.valueOf(end), time())
                .withReasonTable(KubernetesReasons.TABLE)
                .withReason(reason, message)
                .asNeverStarted();
        return httpCode == null ? facts : facts.withHttpStatus(httpCode);
    }
}
