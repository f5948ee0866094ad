package dev.escapement.governor.failure;

import static dev.escapement.governor.failure.StartEvidence.CONTAINER_NOT_STARTED;
import static dev.escapement.governor.failure.StartEvidence.INCONCLUSIVE;
import static dev.escapement.governor.failure.StartEvidence.NOT_SPAWNED;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maps the reasons of an executor to failure reasons and start evidence. An adapter hands its table in with its
 * {@link RunFacts}. Immutable.
 */
public final class ReasonTable {

    /** The reason of a run that the executor did not accept or did not pick up in time. */
    public static final String EXECUTOR_UNAVAILABLE = "ExecutorUnavailable";

    /** The reasons that this project's own runners report. */
    public static final ReasonTable COMMON = new ReasonTable(Map.of())
            .with(List.of(
                    Row.failure(FailureReason.ConfigurationError, NOT_SPAWNED, "WorkflowNotFound", "ExecutorNotFound"),
                    Row.failure(FailureReason.ConfigurationError, NOT_SPAWNED, "CommandNotFound", "NotExecutable"),
                    Row.failure(FailureReason.PipelineRunCreationFailed, INCONCLUSIVE, EXECUTOR_UNAVAILABLE),
                    // Timeouts and cancellations happen before a start as well as after it.
                    Row.failure(FailureReason.DeadlineExceeded, INCONCLUSIVE, "DeadlineExceeded"),
                    Row.failure(FailureReason.Cancelled, INCONCLUSIVE, "Cancelled"),
                    Row.waiting("")));

    private final Map<String, Row> rows;

    private ReasonTable(Map<String, Row> rows) {
        this.rows = Map.copyOf(rows);
    }

    /**
     * Several reasons that mean the same.
     *
     * @param failureReason empty if the reasons are no failure
     * @param evidence what the reasons alone prove about a start; if in doubt {@link StartEvidence#INCONCLUSIVE}
     */
    public record Row(Kind kind, Optional<FailureReason> failureReason, StartEvidence evidence, List<String> reasons) {

        private enum Kind {
            PRECISE,
            VAGUE,
            WAITING,
            IGNORED
        }

        /** Reasons that state why something failed. */
        public static Row failure(FailureReason meaning, StartEvidence evidence, String... reasons) {
            return new Row(Kind.PRECISE, Optional.of(meaning), evidence, List.of(reasons));
        }

        /** Reasons that state where something failed rather than why: exit codes and messages are more precise. */
        public static Row vagueFailure(FailureReason meaning, StartEvidence evidence, String... reasons) {
            return new Row(Kind.VAGUE, Optional.of(meaning), evidence, List.of(reasons));
        }

        /** Reasons of a container that waits for its turn and has not failed. */
        public static Row waiting(String... reasons) {
            return new Row(Kind.WAITING, Optional.empty(), CONTAINER_NOT_STARTED, List.of(reasons));
        }

        /** Reasons of a step whose error the workflow ignores. */
        public static Row ignored(String... reasons) {
            return new Row(Kind.IGNORED, Optional.empty(), INCONCLUSIVE, List.of(reasons));
        }
    }

    /**
     * Returns a table that has these rows as well.
     *
     * @throws IllegalArgumentException if a reason occurs twice
     */
    public ReasonTable with(List<Row> more) {
        Map<String, Row> all = new HashMap<>(rows);
        for (Row row : more) {
            for (String reason : row.reasons()) {
                if (all.put(reason, row) != null) {
                    throw new IllegalArgumentException("reason \"" + reason + "\" occurs twice in the table");
                }
            }
        }
        return new ReasonTable(all);
    }

    /** Returns what a reason means if it states why something failed. */
    Optional<FailureReason> preciseReason(String reason) {
        return find(reason).filter(row -> row.kind() == Row.Kind.PRECISE).flatMap(Row::failureReason);
    }

    /** Returns what a reason means, even if it states only where something failed. */
    Optional<FailureReason> anyReason(String reason) {
        return find(reason).flatMap(Row::failureReason);
    }

    StartEvidence evidence(String reason) {
        return find(reason).map(Row::evidence).orElse(INCONCLUSIVE);
    }

    boolean isIgnored(String reason) {
        return find(reason).filter(row -> row.kind() == Row.Kind.IGNORED).isPresent();
    }

    private Optional<Row> find(String reason) {
        return Optional.ofNullable(rows.get(reason));
    }
}
