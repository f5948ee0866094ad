package dev.escapement.engine.mapping;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.ObjectMetadata.OwnerReference;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.api.execution.WorkflowExecutionSpec.ExecutionSettings;
import dev.escapement.api.execution.WorkflowExecutionSpec.RemediationRequestReference;
import dev.escapement.api.execution.WorkflowExecutionSpec.WorkflowReference;
import dev.escapement.api.execution.WorkflowExecutionStatus;
import dev.escapement.api.execution.WorkflowExecutionStatus.Condition;
import dev.escapement.api.execution.WorkflowExecutionStatus.FailureDetails;
import dev.escapement.api.execution.WorkflowExecutionStatus.PendingDetails;
import dev.escapement.api.execution.WorkflowExecutionStatus.PipelineRunStatus;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
import dev.escapement.engine.contract.ExecutionGenerator;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.contract.LedgerEntryGenerator;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.Policy;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExecutionMapperTest {

    private static final Instant NOW = ExecutionSamples.NOW;
    private static final OwnerReference OWNER =
            new OwnerReference("v1", "ConfigMap", "owner", "uid-owner", true, null, Map.of());
    private static final RemediationRequestReference REMEDIATION = new RemediationRequestReference(
            "rr-1", "ops", "kubernaut.ai/v1alpha1", "RemediationRequest", "uid-rr", Map.of("since", 3));

    private static Execution request(WorkflowExecution document) {
        return ExecutionMapper.fromRequest(document, "default", "0f8e-uid", NOW);
    }

    private static WorkflowExecution requestDocument() {
        return WorkflowExecution.of(metadata("fix-1", null), spec("node/worker-1"), null);
    }

    private static ObjectMetadata metadata(@Nullable String name, @Nullable String generateName) {
        return new ObjectMetadata(
                name,
                generateName,
                null,
                null,
                null,
                null,
                null,
                Map.of("team", "ops"),
                Map.of(),
                List.of(OWNER),
                List.of("example.org/keep"),
                Map.of());
    }

    private static WorkflowExecutionSpec spec(String target) {
        return spec(target, Map.of());
    }

    private static WorkflowExecutionSpec spec(String target, Map<String, Object> unknown) {
        return new WorkflowExecutionSpec(
                REMEDIATION,
                new WorkflowReference("clean-disk", null, null, null, Map.of()),
                target,
                Map.of("DEPTH", "2"),
                null,
                null,
                new ExecutionSettings("5m", null, null, Map.of()),
                null,
                null,
                unknown);
    }

    private static WorkflowExecutionStatus status(Execution execution) {
        return requireNonNull(ExecutionMapper.toDocument(execution, "7").status());
    }

    @Test
    void anyExecutionRoundTrips() {
        Property.forAll(500, gen -> {
            Execution any = ExecutionGenerator.generate(gen, 1);
            assertThat(ExecutionMapper.fromDocument(ExecutionMapper.toDocument(any, "7")))
                    .isEqualTo(any);
        });
    }

    @Test
    void anyEntryRoundTrips() {
        Property.forAll(500, gen -> {
            LedgerEntry any = LedgerEntryGenerator.generate(gen, 1);
            assertThat(TargetMapper.fromDocument(TargetMapper.toDocument(any, "7")))
                    .isEqualTo(any);
        });
    }

    private static Execution failedExecution(RunProgress reached) {
        Execution asked = request(requestDocument());
        Failure failure = FailureClassifier.classify("repair", "node/worker-1", RunFacts.of(RunEnd.TIMED_OUT, NOW));
        ExecutionOutcome during =
                new ExecutionOutcome.FailedDuringExecution(failure.reason().name());
        Execution failed = asked.withStatus(
                ExecutionSamples.runningStatus(asked).withProgress(reached).toFailed(failure, during));
        // The document does not distinguish between a step that started and one that may have started.
        return ExecutionMapper.fromDocument(ExecutionMapper.toDocument(failed, "7"));
    }

    @Test
    void acceptsUserDocument() {
        Execution execution = request(requestDocument());
        assertThat(execution.ref()).isEqualTo(new ExecutionRef("default", "fix-1", "0f8e-uid"));
        assertThat(execution.status()).isEqualTo(new ExecutionStatus.Pending());
        assertThat(execution.spec().config().timeout()).hasValue(Duration.ofMinutes(5));
        assertThat(execution.spec().remediationId()).hasValue("ops/rr-1");
        assertThat(execution.metadata().labels()).containsEntry("team", "ops");
    }

    @Test
    void conditionsReportFinishedAndSucceeded() {
        Execution execution = ExecutionSamples.execution(1);
        assertThat(conditions(execution)).isEqualTo(Map.of("Succeeded", "Unknown", "Finished", "False"));
        assertThat(conditions(execution.withStatus(ExecutionSamples.runningStatus(execution))))
                .isEqualTo(Map.of("Succeeded", "Unknown", "Finished", "False"));
        assertThat(conditions(execution.withStatus(ExecutionSamples.completedStatus(execution))))
                .isEqualTo(Map.of("Succeeded", "True", "Finished", "True"));
    }

    @Test
    void pendingReasonIsConditionUntilExecutionProceeds() {
        Execution execution = ExecutionSamples.execution(1);
        Execution waiting = execution.withStatus(ExecutionSamples.waitingStatus());
        assertThat(conditions(waiting))
                .isEqualTo(Map.of("Succeeded", "Unknown", "Finished", "False", "Pending", "True"));
        assertThat(status(waiting).conditions().get(2))
                .isEqualTo(new Condition("Pending", "True", "Waiting", "the target is held", NOW.toString(), Map.of()));
        assertThat(status(waiting).pendingDetails())
                .isEqualTo(new PendingDetails(
                        "Waiting",
                        "the target is held",
                        NOW.toString(),
                        NOW.plusSeconds(600).toString(),
                        Map.of()));
        assertThat(status(waiting.withStatus(ExecutionSamples.runningStatus(waiting)))
                        .pendingDetails())
                .isNull();
    }

    @Test
    void dropsPendingReasonOfNewerVersion() {
        PendingDetails newer = new PendingDetails("ApprovalNeeded", "ask anna", NOW.toString(), null, Map.of());
        Execution execution = ExecutionSamples.execution(1);
        WorkflowExecution document = ExecutionMapper.toDocument(execution, "1");
        WorkflowExecutionStatus status = new WorkflowExecutionStatus(
                "Pending", 1L, null, null, null, null, null, null, null, null, newer, null, null, null, List.of(),
                Map.of());
        Execution read = ExecutionMapper.fromDocument(
                WorkflowExecution.of(requireNonNull(document.metadata()), requireNonNull(document.spec()), status));
        assertThat(read.status()).isEqualTo(new ExecutionStatus.Pending());
    }

    private static Map<String, String> conditions(Execution execution) {
        Map<String, String> byType = new LinkedHashMap<>();
        status(execution)
                .conditions()
                .forEach(condition -> byType.put(String.valueOf(condition.type()), String.valueOf(condition.status())));
        return byType;
    }

    @Test
    void writesDurationInMillis() {
        Execution asked = request(requestDocument());
        ExecutionStatus.Completed ended = new ExecutionStatus.Completed(
                ExecutionSamples.runRef(asked),
                NOW,
                NOW.plusNanos(2_315_204_671L),
                ExecutionSamples.completedStatus(asked).progress());
        assertThat(status(asked.withStatus(ended)).duration()).isEqualTo("2.315s");
    }

    @Test
    void writesProgressOfFailedRun() {
        Execution failed = failedExecution(new RunProgress(1, 3, "", "PipelineRunTimeout"));
        assertThat(status(failed).pipelineRunStatus())
                .isEqualTo(new PipelineRunStatus("Failed", "PipelineRunTimeout", "", 1L, 3L, Map.of()));
    }

    @Test
    void returnsMetadataAndReferencesAsTheyWereGiven() {
        WorkflowExecution document = ExecutionMapper.toDocument(request(requestDocument()), "7");
        assertThat(requireNonNull(document.metadata()).ownerReferences()).containsExactly(OWNER);
        assertThat(requireNonNull(document.metadata()).finalizers()).containsExactly("example.org/keep");
        assertThat(requireNonNull(document.spec()).remediationRequestRef()).isEqualTo(REMEDIATION);
    }

    @Test
    void keepsUnknownFieldsOfSpecAndStatusThroughUpdates() {
        Map<String, Object> urgency = Map.of("urgency", Map.of("level", 3));
        Map<String, Object> reviewer = Map.of("reviewer", "anna");
        WorkflowExecution written = ExecutionMapper.toDocument(request(requestDocument()), "7");
        Execution read = ExecutionMapper.fromDocument(WorkflowExecution.of(
                requireNonNull(written.metadata()), spec("node/worker-1", urgency), pendingStatusWith(reviewer)));
        Execution changed = read.withStatus(ExecutionSamples.runningStatus(read))
                .cancelledBy("anna")
                .withClearance(new Clearance("anna", "repaired", NOW));
        WorkflowExecution stored = ExecutionMapper.toDocument(changed, "8");
        assertThat(requireNonNull(stored.spec()).other()).isEqualTo(urgency);
        assertThat(requireNonNull(stored.status()).other()).isEqualTo(reviewer);
    }

    private static WorkflowExecutionStatus pendingStatusWith(Map<String, Object> unknown) {
        return new WorkflowExecutionStatus(
                "Pending", 1L, null, null, null, null, null, null, null, null, null, null, null, null, List.of(),
                unknown);
    }

    @Test
    void keepsUnknownFieldsOfTargetThroughTransitions() {
        Map<String, Object> budget = Map.of("budget", Map.of("left", 2));
        ExecutionRef execution = ExecutionSamples.execution(1).ref();
        RemediationTarget newer = RemediationTarget.of(
                ObjectMetadata.named("wfe-1", "7"),
                new RemediationTargetSpec("node/worker-1", Map.of()),
                new RemediationTargetStatus("Free", null, 1L, null, null, List.of(), null, budget));
        LedgerEntry changed = ((Free) TargetMapper.fromDocument(newer))
                .acquire(new Holder(execution, "repair", "uid-run", "run", NOW))
                .release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW)
                .clear(new Clearance("anna", "repaired", NOW))
                .orElseThrow()
                .forget(execution, Policy.DEFAULT)
                .expire(Policy.DEFAULT, NOW.plusSeconds(1_000_000));
        assertThat(requireNonNull(TargetMapper.toDocument(changed, "8").status())
                        .other())
                .isEqualTo(budget);
        assertThat(changed.isIdle(NOW.plusSeconds(1_000_000))).isTrue();
    }

    @Test
    void acceptsWrittenDocumentAsNewRequest() {
        Execution first = request(requestDocument());
        WorkflowExecution document = ExecutionMapper.toDocument(
                first.withStatus(ExecutionSamples.runningStatus(first)).cancelledBy("anna"), "9");
        Execution again = request(document);
        assertThat(again.status()).isEqualTo(new ExecutionStatus.Pending());
        assertThat(again.cancelledBy()).isEmpty();
        assertThat(again.spec()).isEqualTo(first.spec());
    }

    @Test
    void generatesNameFromUid() {
        WorkflowExecutionSpec spec = spec("node/worker-1");
        assertThat(request(WorkflowExecution.of(metadata(null, null), spec, null))
                        .ref()
                        .name())
                .isEqualTo("wfe-0f8euid");
        assertThat(request(WorkflowExecution.of(metadata(null, "disk-"), spec, null))
                        .ref()
                        .name())
                .isEqualTo("disk-0f8euid");
    }

    @Test
    void reportsEveryProblemOfStoredDocument() {
        WorkflowExecutionStatus failed = new WorkflowExecutionStatus(
                "Failed",
                null,
                null,
                "yesterday",
                null,
                null,
                null,
                null,
                new FailureDetails("Tired", null, null, null, null, null, null, null, null, null, null, Map.of()),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                Map.of());
        WorkflowExecution stored = WorkflowExecution.of(
                requireNonNull(ExecutionMapper.toDocument(request(requestDocument()), "")
                        .metadata()),
                spec("node/worker-1"),
                failed);
        assertThatThrownBy(() -> ExecutionMapper.fromDocument(stored))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("status.startTime is \"yesterday\": must be a time")
                .hasMessageContaining("status.failureDetails.reason is \"Tired\": must be one of")
                .hasMessageContaining("status.failureDetails.failedAt is missing");
    }

    @Test
    void keepsInvalidTargetOfStoredDocument() {
        WorkflowExecution document = WorkflowExecution.of(metadata("fix-1", null), spec("not a target"), null);
        assertThat(request(document).spec().targetResource()).isEqualTo("not a target");
    }

    @Test
    void roundsRemainingCooldownUpToSeconds() {
        Execution execution = ExecutionSamples.execution(1);
        EndedExecution past = new EndedExecution(execution.ref(), "repair", NOW, "", false);
        ExecutionStatus skipped = new ExecutionStatus.Skipped(new ExecutionStatus.SkipDetails(
                SkipReason.RecentlyRemediated,
                "too soon",
                NOW,
                Optional.empty(),
                Optional.of(past),
                Optional.of(NOW.plusMillis(61_001))));
        assertThat(requireNonNull(status(execution.withStatus(skipped)).skipDetails())
                        .recentRemediation())
                .satisfies(recent -> assertThat(recent.cooldownRemaining()).isEqualTo("1m2s"))
                .satisfies(recent -> assertThat(recent.outcome()).isEqualTo("Completed"));
    }
}
