package dev.escapement.engine.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.engine.contract.ExecutionGenerator;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.contract.LedgerEntryGenerator;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureClassifier;
import dev.escapement.governor.failure.FailureSubject;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.testkit.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ExecutionDocumentTest {

    private static final Instant NOW = ExecutionSamples.NOW;

    private static Execution request(Map<String, ?> document) {
        return ExecutionDocument.request(document, "default", "0f8e-uid", NOW);
    }

    private static Map<String, Object> requestDocument() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", "kubernaut.ai/v1alpha1");
        document.put("kind", "WorkflowExecution");
        document.put("metadata", Map.of("name", "fix-1", "labels", Map.of("team", "ops")));
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", "clean-disk"),
                        "targetResource", "node/worker-1",
                        "parameters", Map.of("DEPTH", "2"),
                        "executionConfig", Map.of("timeout", "5m"),
                        "remediationRequestRef", Map.of("name", "rr-1", "namespace", "ops")));
        return document;
    }

    @Test
    void anyExecutionRoundTrips() {
        Property.forAll(500, gen -> {
            Execution any = ExecutionGenerator.generate(gen, 1);
            assertThat(ExecutionDocument.read(ExecutionDocument.write(any, "7")))
                    .isEqualTo(any);
        });
    }

    @Test
    void anyEntryRoundTrips() {
        Property.forAll(500, gen -> {
            LedgerEntry any = LedgerEntryGenerator.generate(gen, 1);
            assertThat(TargetDocument.read(TargetDocument.write(any, "7"))).isEqualTo(any);
        });
    }

    @Test
    void writesDurationInMillis() {
        Execution asked = request(requestDocument());
        ExecutionStatus.Completed ended = new ExecutionStatus.Completed(
                ExecutionSamples.runRef(asked),
                NOW,
                NOW.plusNanos(2_315_204_671L),
                ExecutionSamples.completedStatus(asked).progress());
        assertThat(ExecutionDocument.write(asked.withStatus(ended), "7"))
                .extractingByKey("status")
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("duration", "2.315s");
    }

    @Test
    void writesProgressOfFailedRun() {
        Execution failed = failedExecution(new RunProgress(1, 3, "", "PipelineRunTimeout"));
        assertThat(ExecutionDocument.write(failed, "7"))
                .extractingByKey("status")
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry(
                        "pipelineRunStatus",
                        Map.of(
                                "status",
                                "Failed",
                                "reason",
                                "PipelineRunTimeout",
                                "completedTasks",
                                1,
                                "totalTasks",
                                3));
    }

    @Test
    void readsFailureWithoutProgress() {
        Map<String, Object> document = ExecutionDocument.write(failedExecution(new RunProgress(1, 3, "")), "7");
        assertThat(document.get("status"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .satisfies(status -> status.remove("pipelineRunStatus"));
        assertThat(ExecutionDocument.read(document)).isEqualTo(failedExecution(RunProgress.UNKNOWN));
    }

    private static Execution failedExecution(RunProgress reached) {
        Execution asked = request(requestDocument());
        Failure failure = FailureClassifier.classify(
                new FailureSubject("repair", "node/worker-1"), RunFacts.of(RunEnd.TIMED_OUT, NOW));
        ExecutionOutcome during =
                new ExecutionOutcome.FailedDuringExecution(failure.reason().name());
        Execution failed = asked.withStatus(
                ExecutionSamples.runningStatus(asked).withProgress(reached).toFailed(failure, during));
        // What is written is a little less than what is known: whether something started, or only may have.
        return ExecutionDocument.read(ExecutionDocument.write(failed, "7"));
    }

    @Test
    void acceptsUserDocument() {
        Execution execution = request(requestDocument());
        assertThat(execution.ref()).isEqualTo(new ExecutionRef("default", "fix-1", "0f8e-uid"));
        assertThat(execution.status()).isEqualTo(new ExecutionStatus.Pending());
        assertThat(execution.spec().config().timeout()).hasValue(Duration.ofMinutes(5));
        assertThat(execution.spec().remediationRequest()).hasValue("ops/rr-1");
        assertThat(execution.metadata().labels()).containsEntry("team", "ops");
    }

    @Test
    void acceptsWrittenDocumentAsNewRequest() {
        Execution first = request(requestDocument());
        Map<String, Object> document = ExecutionDocument.write(
                first.withStatus(ExecutionSamples.runningStatus(first)).cancelledBy("anna"), "9");
        Execution again = request(document);
        assertThat(again.status()).isEqualTo(new ExecutionStatus.Pending());
        assertThat(again.cancelledBy()).isEmpty();
        assertThat(again.spec()).isEqualTo(first.spec());
    }

    @Test
    void generatesNameFromUid() {
        Map<String, Object> document = requestDocument();
        document.put("metadata", Map.of());
        assertThat(request(document).ref().name()).isEqualTo("wfe-0f8euid");
        document.put("metadata", Map.of("generateName", "disk-"));
        assertThat(request(document).ref().name()).isEqualTo("disk-0f8euid");
    }

    @Test
    void reportsAllProblemsAtOnce() {
        Map<String, Object> document = requestDocument();
        document.put("kind", "Workflow");
        document.put("metadata", Map.of("name", "Not A Name", "namespace", "UP"));
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("version", 3),
                        "parameters", Map.of("DEPTH", 2),
                        "confidence", 1.5,
                        "colour", "red",
                        "executionConfig", Map.of("timeout", "soon")));
        assertThatThrownBy(() -> request(document))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind is \"Workflow\": it must be WorkflowExecution")
                .hasMessageContaining("metadata.name is \"Not A Name\"")
                .hasMessageContaining("metadata.namespace is \"UP\"")
                .hasMessageContaining("spec.workflowRef.workflowId is missing")
                .hasMessageContaining("spec.workflowRef.version is \"3\": it must be a text")
                .hasMessageContaining("spec.parameters.DEPTH is \"2\": it must be a text, so write it in quotes")
                .hasMessageContaining("spec.confidence is 1.5")
                .hasMessageContaining("spec.colour is no field here")
                .hasMessageContaining("spec.targetResource is missing")
                .hasMessageContaining("spec.executionConfig.timeout is refused: \"soon\" is not a duration");
    }

    @Test
    void rejectsPartsOfWrongType() {
        for (Object nonsense : List.of("text", 7, true, List.of(1, 2))) {
            for (String part : List.of("metadata", "spec")) {
                Map<String, Object> document = requestDocument();
                document.put(part, nonsense);
                assertThatThrownBy(() -> request(document))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(part + " is ");
            }
        }
        assertThatThrownBy(() -> request(Map.of())).hasMessageContaining("apiVersion is \"\"");
    }

    @Test
    void rejectsTooLongValues() {
        Map<String, Object> document = requestDocument();
        document.put(
                "spec",
                Map.of(
                        "workflowRef", Map.of("workflowId", "w"),
                        "targetResource", "node/a",
                        "rationale", "x".repeat(20_000),
                        "parameters", Map.of("A", "x".repeat(100_000), "B", "x".repeat(200_000))));
        assertThatThrownBy(() -> request(document))
                .hasMessageContaining("spec.rationale has 20000 characters: the most is 16384")
                .hasMessageContaining("spec.parameters has 300002 characters: the most is 262144");
    }

    @Test
    void acceptsInvalidTarget() {
        Map<String, Object> document = requestDocument();
        document.put("spec", Map.of("workflowRef", Map.of("workflowId", "w"), "targetResource", "not a target"));
        assertThat(request(document).spec().targetResource()).isEqualTo("not a target");
    }

    @Test
    void roundsRemainingCooldownUpToSeconds() {
        Execution execution = ExecutionSamples.execution(1);
        EndedExecution past = new EndedExecution(execution.ref(), "repair", NOW, "");
        ExecutionStatus skipped = new ExecutionStatus.Skipped(new ExecutionStatus.SkipDetails(
                SkipReason.RecentlyRemediated,
                "too soon",
                NOW,
                Optional.empty(),
                Optional.of(past),
                Optional.of(NOW.plusMillis(61_001))));
        Map<String, Object> document = ExecutionDocument.write(execution.withStatus(skipped), "1");
        assertThat(document.toString()).contains("cooldownRemaining=1m2s").contains("outcome=Completed");
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

    private static Map<String, String> conditions(Execution execution) {
        Map<String, String> byType = new LinkedHashMap<>();
        StatusConditions.of(execution)
                .forEach(condition ->
                        byType.put(String.valueOf(condition.get("type")), String.valueOf(condition.get("status"))));
        return byType;
    }
}
