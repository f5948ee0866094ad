package dev.escapement.governor.failure;

import dev.escapement.governor.failure.StepState.NeverStarted;
import dev.escapement.governor.failure.StepState.Running;
import dev.escapement.governor.failure.StepState.Terminated;
import dev.escapement.governor.failure.StepState.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Short words for the facts of the tests. */
final class RunFactsFixtures {

    static final Instant END = Instant.parse("2026-03-01T12:00:00Z");
    static final FailureSubject SUBJECT = new FailureSubject("restart-pods", "payment/deployment/payment-api");

    private RunFactsFixtures() {}

    static RunFacts run(RunEnd end, TaskFacts... tasks) {
        return RunFacts.of(end, END).tasks(3, List.of(tasks));
    }

    static TaskFacts task(TaskState state, StepState... steps) {
        return new TaskFacts(0, "fix", state, "", "", numberedSteps(steps), List.of());
    }

    static List<StepFacts> numberedSteps(StepState... steps) {
        return java.util.stream.IntStream.range(0, steps.length)
                .mapToObj(i -> StepFacts.step("s" + i, steps[i]))
                .toList();
    }

    static TaskFacts withSecondIndex(TaskFacts task) {
        return new TaskFacts(1, task.name(), task.state(), task.reason(), task.message(), task.steps(), List.of());
    }

    static StepState waiting(String reason) {
        return new Waiting(reason, "");
    }

    static StepState neverStarted(String reason) {
        return new NeverStarted(reason, "");
    }

    static StepState running() {
        return new Running(Optional.of(END.minus(Duration.ofSeconds(72))));
    }

    static StepState exited(int code) {
        return Terminated.exited(code, code == 0 ? "Completed" : "Error");
    }

    static StepState withUnknownEnd(String reason) {
        return new Terminated(Optional.empty(), Optional.empty(), reason, "", Optional.empty());
    }

    static Failure classify(RunFacts run) {
        return FailureClassifier.classify(SUBJECT, run);
    }
}
