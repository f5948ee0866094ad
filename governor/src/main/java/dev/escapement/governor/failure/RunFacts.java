package dev.escapement.governor.failure;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an executor knows about a run that did not succeed. Starts from {@link #of}, which claims nothing that an
 * adapter did not say.
 *
 * @param reason the executor's word for the end, such as the reason of a Tekton or Job condition; empty if it has none
 * @param message the executor's text, empty if there is none; not to be trusted
 * @param httpStatus the answer to the request that was refused. If it was made several times, the least definite one: a
 *     refusal of the second does not undo a first that may have been carried out without an answer
 * @param totalTasks how many tasks the workflow has
 * @param startedAt when the run was let go, as far as anyone knows
 * @param endedAt when it failed, or when it was seen that it had
 * @param tasks in the order of the workflow
 * @param complete the adapter is sure that it saw every task and the last state of every container of it. An empty list
 *     of tasks is then a statement that there were none. Reading an executor's summary is not enough where the summary
 *     can be older than the containers (see {@link TektonStep}), and a task that has no containers to look at is never
 *     seen completely. An adapter that knows that a failed task never had a pod lists its steps as
 *     {@link StepState.NeverStarted}.
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
        boolean complete,
        boolean neverStarted) {

    /** Nothing is null. */
    public RunFacts {
        requireNonNull(end, "end is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(message, "message is null");
        requireNonNull(httpStatus, "httpStatus is null");
        requireNonNull(totalTasks, "totalTasks is null");
        requireNonNull(startedAt, "startedAt is null");
        requireNonNull(endedAt, "endedAt is null");
        tasks = List.copyOf(tasks);
    }

    /** A run of which no more is known. */
    public static RunFacts of(RunEnd end, Instant endedAt) {
        return new RunFacts(
                end, "", "", Optional.empty(), Optional.empty(), Optional.empty(), endedAt, List.of(), false, false);
    }

    /** The same, with what the executor says about the end. */
    public RunFacts withReason(String reason, String message) {
        return new RunFacts(
                end, reason, message, httpStatus, totalTasks, startedAt, endedAt, tasks, complete, neverStarted);
    }

    /** The same, with the HTTP status of the refusal. */
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
                complete,
                neverStarted);
    }

    /** The same, with the time at which it was let go. */
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
                complete,
                neverStarted);
    }

    /** The same, but not over before that time: some executors count whole seconds, and clocks differ. */
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
                complete,
                neverStarted);
    }

    /** The same, with the tasks that were seen, of so many. */
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
                complete,
                neverStarted);
    }

    /** The same, and that is all there is: every task and every container was seen to its end. */
    public RunFacts asComplete() {
        return new RunFacts(
                end, reason, message, httpStatus, totalTasks, startedAt, endedAt, tasks, true, neverStarted);
    }

    /** The same, and it is certain that it was never let go. */
    public RunFacts asNeverStarted() {
        return new RunFacts(end, reason, message, httpStatus, totalTasks, startedAt, endedAt, tasks, complete, true);
    }
}
