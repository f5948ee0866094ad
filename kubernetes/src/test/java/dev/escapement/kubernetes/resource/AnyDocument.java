package dev.escapement.kubernetes.resource;

import dev.escapement.engine.contract.AnyEntry;
import dev.escapement.engine.contract.AnyExecution;
import dev.escapement.engine.contract.Samples;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.document.TargetDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Status;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.testkit.Gen;
import java.util.Map;

/** Documents as the program writes them, of executions and entries after any life. */
final class AnyDocument {

    private static final Clearance CLEARANCE = new Clearance("anna", "looked at it", Samples.NOW);

    private AnyDocument() {}

    static Map<String, Object> ofExecution(Gen gen) {
        Execution any = AnyExecution.of(gen, 1);
        Execution asked = new Execution(
                any.ref(),
                any.metadata(),
                withKnownEngine(gen, any.spec()),
                any.cancelledBy(),
                any.clearance(),
                any.status());
        Execution changed = gen.once(5) ? asked.with(new Status.Pending()) : asked;
        return ExecutionDocument.write(gen.once(5) ? changed.cleared(CLEARANCE) : changed, "7");
    }

    /** The engines of a cluster are a closed list; a process of this machine knows others. */
    private static ExecutionSpec withKnownEngine(Gen gen, ExecutionSpec spec) {
        return new ExecutionSpec(
                spec.workflow(),
                spec.targetResource(),
                spec.parameters(),
                spec.remediationRequest(),
                spec.confidence(),
                spec.rationale(),
                new ExecutionConfig(
                        spec.config().timeout(), spec.config().serviceAccountName(), gen.oneOf("", "tekton", "job")));
    }

    static Map<String, Object> ofEntry(Gen gen) {
        LedgerEntry any = AnyEntry.of(gen, 1);
        if (gen.once(2) && any instanceof Held held) {
            Outcome outcome = switch (gen.between(0, 3)) {
                case 0 -> new Outcome.Completed();
                case 1 -> held.couldNotStart("Forbidden", Samples.NOW, Policy.DEFAULT);
                case 2 -> new Outcome.FailedDuringExecution("OOMKilled");
                default -> new Outcome.Withdrawn();
            };
            any = held.release(outcome, Samples.NOW);
        }
        return TargetDocument.write(gen.once(5) ? any.clear(CLEARANCE).orElse(any) : any, "7");
    }
}
