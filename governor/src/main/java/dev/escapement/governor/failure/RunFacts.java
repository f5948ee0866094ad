package dev.escapement.governor.failure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an executor reports about a run that did not succeed. Adapters start from {@link #of} and add only what they
 * know.
 *
 * @param reason the executor's reason for the end, such as that of a condition; empty if it has none
 * @param message the executor's text, empty if there is none; untrusted
 * @param httpCode the status of the refused request. After several requests the least definite one: a refusal of the
 *     second does not undo a first one that may have been executed without a response
 * @param totalTasks the number of tasks of the workflow
 * @param startedAt when the run was started
 * @param endedAt when it failed, or when the failure was observed
 * @param tasks in the order of the workflow
 * @param reasons the meaning of the executor's reasons
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
        Optional<Integer> httpCode,
        Optional<Integer> totalTasks,
        Optional<Instant> startedAt,
        Instant endedAt,
        List<TaskFacts> tasks,
        ReasonTable reasons,
        boolean complete,
        boolean neverStarted) {

    public RunFacts {
        tasks = List.copyOf(tasks);
    }

    /** Returns facts that know only the end, with the table {@link ReasonTable#COMMON}. */
    public static RunFacts of(RunEnd end, Instant endedAt) {
        Optional<Integer> none = Optional.empty();
        return new RunFacts(
                end, "", "", none, none, Optional.empty(), endedAt, List.of(), ReasonTable.COMMON, false, false);
    }

    public RunFacts withReason(String reason, String message) {
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, complete, neverStarted);
    }

    public RunFacts withHttpStatus(int refusal) {
        Optional<Integer> httpCode = Optional.of(refusal);
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, complete, neverStarted);
    }

    public RunFacts startedAt(Optional<Instant> startedAt) {
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, complete, neverStarted);
    }

    /** Moves the end to {@code earliest} if it is before: some executors count whole seconds, and clocks differ. */
    public RunFacts withEndNotBefore(Instant earliest) {
        Instant latest = endedAt.isBefore(earliest) ? earliest : endedAt;
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, latest, tasks, reasons, complete, neverStarted);
    }

    public RunFacts tasks(int total, List<TaskFacts> tasks) {
        Optional<Integer> count = Optional.of(total);
        return new RunFacts(
                end, reason, message, httpCode, count, startedAt, endedAt, tasks, reasons, complete, neverStarted);
    }

    public RunFacts withReasonTable(ReasonTable reasons) {
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, complete, neverStarted);
    }

    /** Marks the tasks as complete: every task and every container was seen to its end. */
    public RunFacts asComplete() {
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, true, neverStarted);
    }

    /** Marks the run as certainly never started. */
    public RunFacts asNeverStarted() {
        return new RunFacts(
                end, reason, message, httpCode, totalTasks, startedAt, endedAt, tasks, reasons, complete, true);
    }
}
