package dev.escapement.engine.journal;

import static dev.escapement.engine.contract.Samples.NOW;
import static dev.escapement.engine.contract.Samples.execution;
import static dev.escapement.engine.contract.Samples.held;
import static dev.escapement.engine.contract.Samples.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.failure.Subject;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.governor.ledger.Past;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransitionTest {

    private static Transition told(Execution before, Status next) {
        return Transition.of(new Write.StatusOf(new Versioned<>(before, "1"), next))
                .orElseThrow();
    }

    private static Status.Skipped skipped(SkipReason reason, Optional<Past> recent) {
        return new Status.Skipped(new Status.SkipDetails(
                reason,
                "why",
                NOW,
                recent.isPresent()
                        ? Optional.empty()
                        : Optional.of(held(execution(2)).holder()),
                recent,
                recent.map(past -> NOW.plusSeconds(60))));
    }

    @Test
    void aSkipSaysWhoOrWhatWasInTheWay() {
        Transition busy = told(execution(1), skipped(SkipReason.ResourceBusy, Optional.empty()));
        assertThat(busy.type()).isEqualTo(TransitionType.WorkflowSkipped);
        assertThat(busy.reason()).isEqualTo("ResourceBusy");
        assertThat(busy.message()).isEqualTo("why");
        assertThat(busy.detail(Detail.CONFLICTING)).hasValue("ops/e2");

        Past success = new Past(execution(3).ref(), "repair", NOW, "");
        Transition cooling = told(execution(1), skipped(SkipReason.RecentlyRemediated, Optional.of(success)));
        assertThat(cooling.detail(Detail.RECENT)).hasValue("ops/e3");
        assertThat(cooling.detail(Detail.RECENT_OUTCOME)).hasValue("Completed");
        assertThat(cooling.detail(Detail.NEXT_ALLOWED))
                .hasValue(NOW.plusSeconds(60).toString());

        Past failure = new Past(execution(3).ref(), "repair", NOW, "ImagePullBackOff");
        assertThat(told(execution(1), skipped(SkipReason.RecentlyRemediated, Optional.of(failure)))
                        .detail(Detail.RECENT_OUTCOME))
                .hasValue("Failed");
    }

    @Test
    void aFailureSaysWhetherAnythingHadStartedAndFromWhenOnItMayBeTriedAgain() {
        Execution execution = execution(1);
        var failure = FailureClassifier.classify(
                new Subject("repair", "node/worker-1"),
                RunFacts.of(RunEnd.REFUSED, NOW).because("WorkflowNotFound", "no workflow repair"));
        Outcome outcome = held(execution).couldNotStart("ConfigurationError", NOW, Policy.DEFAULT);
        Transition told = told(execution, new Status.Pending().fail(failure, outcome));
        assertThat(told.type()).isEqualTo(TransitionType.WorkflowFailed);
        assertThat(told.reason()).isEqualTo("ConfigurationError");
        assertThat(told.detail(Detail.DURING)).hasValue("false");
        assertThat(told.detail(Detail.FAILURES)).hasValue("1");
        assertThat(told.detail(Detail.NEXT_ALLOWED)).isPresent();
        assertThat(told.detail(Detail.SECONDS)).isEmpty();
    }

    @Test
    void anEndSaysHowLongItTook() {
        Execution execution = execution(1);
        Status.Running running = running(execution);
        Transition told = told(execution.with(running), running.complete(running.progress(), NOW.plusMillis(61_500)));
        assertThat(told.detail(Detail.SECONDS)).hasValue("61.500");
    }

    @Test
    void takingATargetIsToldByTheExecutionAndAClearanceByTheTarget() {
        Versioned<LedgerEntry> free = new Versioned<>(held(execution(1)).release(new Outcome.Completed(), NOW), "1");
        assertThat(Transition.of(new Write.Entry(free, held(execution(2)), NOW)))
                .isEmpty();
        assertThat(Transition.of(new Write.ClearanceOf(
                        new Versioned<>(execution(1), "1"), new Clearance("anna", "looked", NOW))))
                .isEmpty();
    }
}
