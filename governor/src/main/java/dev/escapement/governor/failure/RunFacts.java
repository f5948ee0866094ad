package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an executor reports about a run that did not succeed. Adapters start from {@link #of} and add only what they
 * know.
 *
 * @param reason the executor's reason for the end, such as that of a condition; empty if it has none
 * @param message the executor's text, empty if there is none; untrusted
 * @param httpStatus the status of the refused request. After several requests the least definite one: a refusal of the
 *     second does not undo a first one that may have been executed without a response
 * @param totalTasks the number of tasks of the workflow
 * @param startedAt when the run was started
 * @param endedAt when it failed, or when the failure was observed
 * @param tasks in the order of the workflow
 * @param reasonTable the meaning of the executor's reasons
 * @param complete the adapter is certain that it saw every task and the last state of each of their containers; no
 *     tasks then means that there were none. A summary by the executor is not enough if it can be older than the state
 *     of the containers. A task without containers never counts as seen completely, so an adapter that knows that a
 *     failed task never had a pod lists the task's steps as {@link StepState.NeverStarted}
 * @param neverStarted it is certain that the run was still suspended, or not yet spawned, at its end
 */
public record RunFacts(
        RunEnd end,
        String reason,
        String message,
        Optional<Integer> httpStatus,
        Optional<Integer> totalTasks,
        Optional<Instant> startedAt,
        Instant endedAt,
        List<TaskFacts> tasks,
        ReasonTable reasonTable,
        boolean complete,
        boolean neverStarted) {

    /** Copies the list. */
    public RunFacts {
        requireNonNull(end, "end is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
        requireNonNull(httpStatus, "httpStatus is null");
        requireNonNull(totalTasks, "totalTasks is null");
        requireNonNull(startedAt, "startedAt is null");
        requireNonNull(endedAt, "endedAt is null");
        requireNonNull(reasonTable, "reasonTable is null");
        tasks = List.copyOf(tasks);
    }

    /** Returns facts that know only the end, with the table {@link ReasonTable#COMMON}. */
    public static RunFacts of(RunEnd end, Instant endedAt) {
        return new RunFacts(
                end,
                "",
                "",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                endedAt,
                List.of(),
                ReasonTable.COMMON,
                false,
                false);
    }

    public RunFacts withReason(String reason, String message) {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                totalTasks,
                startedAt,
                endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    public RunFacts withHttpStatus(int httpStatus) {
        return new RunFacts(
                end,
                reason,
                message,
                Optional.of(httpStatus),
                totalTasks,
                startedAt,
                endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    public RunFacts startedAt(Instant startedAt) {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                totalTasks,
                Optional.of(startedAt),
                endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    /** Moves the end to {@code earliest} if it is before: some executors count whole seconds, and clocks differ. */
    public RunFacts withEndNotBefore(Instant earliest) {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                totalTasks,
                startedAt,
                endedAt.isBefore(earliest) ? earliest : endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    public RunFacts tasks(int totalTasks, List<TaskFacts> tasks) {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                Optional.of(totalTasks),
                startedAt,
                endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    public RunFacts withReasonTable(ReasonTable reasonTable) {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                totalTasks,
                startedAt,
                endedAt,
                tasks,
                reasonTable,
                complete,
                neverStarted);
    }

    /** Marks the tasks as complete: every task and every container was seen to its end. */
    public RunFacts asComplete() {
        return new RunFacts(
                end,
                reason,
                message,
                httpStatus,
                totalTasks,
                startedAt,
                endedAt,
                tasks,
                reasonTable,
                true,
                neverStarted);
    }

    /** Marks the run as certainly never started. */
    public RunFacts asNeverStarted() {
        return new RunFacts(
                end, reason, message, httpStatus, totalTasks, startedAt, endedAt, tasks, reasonTable, complete, true);
    }
}
