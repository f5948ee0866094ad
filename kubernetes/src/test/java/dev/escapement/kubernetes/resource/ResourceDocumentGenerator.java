package dev.escapement.kubernetes.resource;

import dev.escapement.common.Json;
import dev.escapement.engine.contract.ExecutionGenerator;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.contract.LedgerEntryGenerator;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.testkit.Generator;
import java.util.Map;

/** Generates documents as the program writes them, of executions and entries in any state. */
final class ResourceDocumentGenerator {

    private static final Clearance CLEARANCE = new Clearance("anna", "looked at it", ExecutionSamples.NOW);

    private ResourceDocumentGenerator() {}

    static Map<String, Object> executionDocument(Generator gen) {
        Execution any = ExecutionGenerator.generate(gen, 1);
        Execution valid = new Execution(
                any.ref(),
                any.metadata(),
                withKnownEngine(gen, any.spec()),
                any.cancelledBy(),
                any.clearance(),
                any.status());
        Execution changed = gen.oneIn(5) ? valid.withStatus(new ExecutionStatus.Pending()) : valid;
        return Json.toMap(ExecutionMapper.toDocument(gen.oneIn(5) ? changed.withClearance(CLEARANCE) : changed, "7"));
    }

    /** A cluster accepts only its own engines. */
    private static ExecutionSpec withKnownEngine(Generator gen, ExecutionSpec spec) {
        return new ExecutionSpec(
                spec.workflow(),
                spec.targetResource(),
                spec.parameters(),
                spec.remediationRequest(),
                spec.confidence(),
                spec.rationale(),
                new ExecutionConfig(
                        spec.config().timeout(), spec.config().serviceAccountName(), gen.oneOf("", "tekton", "job")),
                spec.conflict());
    }

    static Map<String, Object> entryDocument(Generator gen) {
        LedgerEntry any = LedgerEntryGenerator.generate(gen, 1);
        if (gen.oneIn(2) && any instanceof Held held) {
            ExecutionOutcome outcome = switch (gen.between(0, 3)) {
                case 0 -> new ExecutionOutcome.Completed();
                case 1 -> held.failedStartOutcome("Forbidden", ExecutionSamples.NOW, Policy.DEFAULT);
                case 2 -> new ExecutionOutcome.FailedDuringExecution("OOMKilled");
                default -> new ExecutionOutcome.Withdrawn();
            };
            any = held.release(outcome, ExecutionSamples.NOW);
        }
        LedgerEntry written = gen.oneIn(5) ? any.clear(CLEARANCE).orElse(any) : any;
        Policy policy = Policy.DEFAULT.withMaxConsecutiveFailures(gen.between(1, 3));
        TargetState state = TargetState.of(written, policy, ExecutionSamples.NOW);
        return Json.toMap(state.addTo(TargetMapper.toDocument(written, "7")));
    }
}
