package dev.escapement.engine.mapping;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static dev.escapement.engine.contract.ExecutionSamples.blockedEntry;
import static dev.escapement.engine.contract.ExecutionSamples.completedStatus;
import static dev.escapement.engine.contract.ExecutionSamples.execution;
import static dev.escapement.engine.contract.ExecutionSamples.heldEntry;
import static dev.escapement.engine.contract.ExecutionSamples.waitingStatus;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.execution.WorkflowExecutionSpec;
import dev.escapement.common.Json;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditRecordMapperTest {

    private static final Clearance CLEARANCE = new Clearance("anna", "replaced the disk", NOW);

    private static AuditRecord record(StoreWrite write, StoreWrite... others) {
        List<StoreWrite> transaction = new ArrayList<>(List.of(others));
        transaction.add(write);
        return AuditRecordMapper.toRecord(Transition.of(write, transaction).orElseThrow());
    }

    private static <T> Versioned<T> seen(T value) {
        return new Versioned<>(value, "1");
    }

    private static Execution ofRemediation(int number) {
        Map<String, Object> document = Map.of(
                "metadata", Map.of("name", "e" + number, "namespace", "ops"),
                "spec",
                        Map.of(
                                "remediationRequestRef", Map.of("name", "rr-" + number, "namespace", "ops"),
                                "workflowRef", Map.of("workflowId", "repair"),
                                "targetResource", "node/worker-1"));
        return ExecutionMapper.fromRequest(
                Json.fromMap(document, WorkflowExecution.class), "ops", "uid-ops-" + number, NOW);
    }

    @Test
    void acceptedRequestNamesItsCreator() {
        AuditRecord record = record(new StoreWrite.Creation(ofRemediation(1).createdBy("anna")));
        assertThat(record.eventType()).isEqualTo("WorkflowAccepted");
        assertThat(record.actor()).isEqualTo("anna");
        assertThat(record.correlationId()).isEqualTo("ops/rr-1");
        assertThat(record.remediationId()).isEqualTo("ops/rr-1");
        assertThat(record.workflowId()).isEqualTo("repair");
        assertThat(record.targetResource()).isEqualTo("node/worker-1");
        assertThat(record.execution()).isEqualTo("ops/e1");
        assertThat(record.details()).isEmpty();
    }

    @Test
    void requestCannotChooseItsCreator() {
        WorkflowExecution document = WorkflowExecution.of(
                new ObjectMetadata(
                        "e1",
                        null,
                        "ops",
                        null,
                        null,
                        null,
                        null,
                        Map.of(),
                        Map.of(ApiGroup.CREATED_BY, "root"),
                        List.of(),
                        List.of(),
                        Map.of()),
                new WorkflowExecutionSpec(
                        null,
                        new WorkflowExecutionSpec.WorkflowReference("repair", null, null, null, Map.of()),
                        "node/a",
                        Map.of(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        Map.of()),
                null);
        assertThat(ExecutionMapper.fromRequest(document, "ops", "u1", NOW).createdBy())
                .isEmpty();
    }

    @Test
    void storedExecutionKeepsItsCreator() {
        Execution created = execution(1).createdBy("anna");
        assertThat(ExecutionMapper.fromDocument(ExecutionMapper.toDocument(created, "1"))
                        .createdBy())
                .hasValue("anna");
    }

    @Test
    void skipHasTheNamesOfTheSpecification() {
        var details = new ExecutionStatus.SkipDetails(
                SkipReason.ResourceBusy,
                "held",
                NOW,
                Optional.of(heldEntry(execution(2)).holder()),
                Optional.empty(),
                Optional.empty());
        AuditRecord record =
                record(new StoreWrite.StatusUpdate(seen(execution(1)), new ExecutionStatus.Skipped(details)));
        assertThat(Json.toMap(record))
                .containsEntry("skip_reason", "ResourceBusy")
                .containsEntry("conflicting_workflow", "ops/e2")
                .containsEntry("workflow_id", "repair")
                .containsEntry("target_resource", "node/worker-1")
                .containsEntry("correlation_id", execution(1).ref().uid());
    }

    @Test
    void clearanceNamesExecutionsAndRemediations() {
        Execution failed = ofRemediation(1);
        LedgerEntry blocked = blockedEntry(failed);
        AuditRecord record = record(
                new StoreWrite.EntryUpdate(
                        seen(blocked), blocked.clear(CLEARANCE).orElseThrow(), NOW),
                new StoreWrite.ClearanceUpdate(seen(failed), CLEARANCE));
        assertThat(record.eventType()).isEqualTo("BlockCleared");
        assertThat(record.actor()).isEqualTo("anna");
        assertThat(record.execution()).isEqualTo("ops/e1");
        assertThat(record.remediationId()).isEqualTo("ops/rr-1");
        assertThat(record.message()).contains("replaced the disk");
    }

    @Test
    void clearanceNamesAnExecutionThatWasDeleted() {
        LedgerEntry blocked = blockedEntry(ofRemediation(1));
        AuditRecord record = record(new StoreWrite.EntryUpdate(
                seen(blocked), blocked.clear(CLEARANCE).orElseThrow(), NOW));
        assertThat(record.execution()).isEqualTo("ops/e1");
        assertThat(record.remediationId()).isNull();
    }

    @Test
    void releaseBelongsToTheRemediationOfItsExecution() {
        Execution execution = ofRemediation(1);
        LedgerEntry.Held held = heldEntry(execution);
        ExecutionStatus.Completed completed = completedStatus(execution);
        AuditRecord record = record(
                new StoreWrite.EntryUpdate(seen(held), completed.release(held), NOW),
                new StoreWrite.StatusUpdate(seen(execution), completed));
        assertThat(record.eventType()).isEqualTo("LockReleased");
        assertThat(record.correlationId()).isEqualTo("ops/rr-1");
    }

    @Test
    void idDoesNotDependOnWhoDerivesTheRecord() {
        Execution execution = execution(1);
        Transition cancelled = Transition.of(new StoreWrite.Cancellation(seen(execution), "anna", NOW))
                .orElseThrow();
        Transition derivedLater = Transition.of(
                        new StoreWrite.Cancellation(seen(execution), "anna", NOW.plusSeconds(9)))
                .orElseThrow();
        Transition stored = TransitionMapper.fromDocument(
                Json.read(Json.write(TransitionMapper.toDocument(cancelled)), TransitionEvent.class));
        assertThat(cancelled.id())
                .isEqualTo(derivedLater.id())
                .isEqualTo(stored.id())
                .hasSize(32);
        assertThat(AuditRecordMapper.toRecord(stored)).isEqualTo(AuditRecordMapper.toRecord(cancelled));
    }

    @Test
    void repeatedDelaysAndClearancesHaveDifferentIds() {
        ExecutionStatus later = waitingStatus()
                .because(PendingReason.ExecutorUnavailable, "down", NOW.plusSeconds(5), Optional.empty());
        assertThat(List.of(
                        record(new StoreWrite.StatusUpdate(seen(execution(1)), waitingStatus()))
                                .id(),
                        record(new StoreWrite.StatusUpdate(seen(execution(1)), later))
                                .id(),
                        record(new StoreWrite.Creation(execution(1))).id(),
                        record(new StoreWrite.Creation(execution(2))).id()))
                .doesNotHaveDuplicates();
        LedgerEntry blocked = blockedEntry(execution(1));
        Clearance second = new Clearance("anna", "again", NOW.plusSeconds(60));
        assertThat(record(new StoreWrite.EntryUpdate(
                                seen(blocked), blocked.clear(CLEARANCE).orElseThrow(), NOW))
                        .id())
                .isNotEqualTo(record(new StoreWrite.EntryUpdate(
                                seen(blocked), blocked.clear(second).orElseThrow(), NOW))
                        .id());
    }
}
