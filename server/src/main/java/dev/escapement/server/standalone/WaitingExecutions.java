package dev.escapement.server.standalone;

import dev.escapement.engine.WaitingIndex;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The executions of this server that wait for a target, and what wakes them: the journal, a policy, or the end of one
 * that was ahead of them. Their deadlines are timers of the queue. The servers that share a database each wake their
 * own.
 */
record WaitingExecutions(WaitingIndex index, Consumer<WorkItem> queue) {

    /** Adds an execution if it waits, and removes it if not. Must be called before it is decided. */
    void update(Execution execution) {
        boolean removed = index.update(execution);
        // The journal may have reported its end when it still was the first in the queue.
        if (removed && execution.status() instanceof ExecutionStatus.Final) {
            Target.tryParse(execution.spec().targetResource()).ifPresent(this::wake);
        }
    }

    /** Removes a deleted execution. */
    void remove(ExecutionRef deleted, Optional<Target> target) {
        if (index.remove(deleted.uid())) {
            target.ifPresentOrElse(this::wake, this::wakeAll);
        }
    }

    boolean contains(ExecutionRef execution) {
        return index.contains(execution.uid());
    }

    /** Wakes what waits for the target of a transition, if that may be admitted now, or must be skipped. */
    void onTransition(Transition transition) {
        Optional<Target> target = Target.tryParse(transition.target());
        switch (transition.type()) {
            case LockReleased, BlockCleared, WorkflowSkipped, WorkflowFailed -> target.ifPresent(this::wake);
            case CancellationRequested, ExecutionDeleted -> {
                transition
                        .execution()
                        .filter(this::contains)
                        .ifPresent(execution -> queue.accept(new WorkItem(execution, target)));
                target.ifPresent(this::wake);
            }
            case WorkflowAccepted, WorkflowPending, PipelineRunCreated, WorkflowCompleted -> {
                // The target is not released, so nothing can be admitted because of it.
            }
        }
    }

    private void wake(Target target) {
        enqueue(index.candidates(target));
    }

    /** Wakes what may be admitted under another policy. */
    void wakeAll() {
        enqueue(index.allCandidates());
    }

    private void enqueue(List<ExecutionRef> executions) {
        executions.forEach(execution -> queue.accept(WorkItem.of(execution)));
    }
}
