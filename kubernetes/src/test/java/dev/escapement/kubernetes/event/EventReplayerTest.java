package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.common.Json;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transitions of a target are published by every replica that sees them, because their writer may not get the response.
 */
class EventReplayerTest {

    private static final Execution FIRST = ExecutionSamples.execution(1);
    private static final Execution SECOND = ExecutionSamples.execution(2);
    private static final Held HELD = ExecutionSamples.heldEntry(FIRST);
    private static final LedgerEntry FREE = HELD.release(new ExecutionOutcome.Completed(), ExecutionSamples.NOW);

    private final ResourceCache<WorkflowExecutionResource> executions = new ResourceCache<>();
    private final ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
    private final List<Transition> published = new ArrayList<>();
    private final DeletionActors deletions = new DeletionActors();
    private final EventReplayer replayer =
            new EventReplayer(executions, targets, published::add, deletions, () -> ExecutionSamples.NOW);
    private int version;

    @BeforeEach
    void startReplayer() {
        replayer.start();
    }

    private void putWatched(LedgerEntry entry) {
        RemediationTargetResource resource =
                RemediationTargetResource.updatedResource(Integer.toString(++version), entry);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
    }

    private void putWatched(Execution execution) {
        WorkflowExecutionResource resource =
                WorkflowExecutionResource.statusUpdate(execution, Integer.toString(++version));
        resource.getMetadata().setCreationTimestamp(execution.createdAt().toString());
        resource.setSpec(WorkflowExecutionResource.newResource(execution).getSpec());
        execution
                .cancelledBy()
                .ifPresent(by -> resource.getMetadata().setAnnotations(Map.of(ApiGroup.CANCELLED_BY, by)));
        executions.put(execution.ref().toString(), resource);
    }

    private void removeEntry() {
        targets.remove(ExecutionSamples.NODE.objectName());
    }

    private List<TransitionType> publishedTypes() {
        return published.stream().map(Transition::type).toList();
    }

    @Test
    void publishesLockRelease() {
        putWatched(HELD);
        assertThat(published).isEmpty();
        putWatched(FREE);
        assertThat(publishedTypes()).containsExactly(TransitionType.LockReleased);
        assertThat(published.get(0).execution()).contains(FIRST.ref());
        assertThat(published.get(0).workflow()).isEqualTo("repair");
        putWatched(FREE);
        assertThat(published).hasSize(1);
    }

    @Test
    void publishesSameReleaseEventAsReleaser() {
        putWatched(HELD);
        putWatched(FREE);
        assertThat(TransitionHistory.lockRelease(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)), FREE)
                        .map(EventMapper::eventKey))
                .contains(EventMapper.eventKey(published.get(0)));
    }

    @Test
    void publishesReleaseWhenTargetIsAlreadyHeldAgain() {
        putWatched(HELD);
        putWatched(ExecutionSamples.heldEntry(SECOND));
        assertThat(publishedTypes()).containsExactly(TransitionType.LockReleased);
        assertThat(published.get(0).execution()).contains(FIRST.ref());
    }

    @Test
    void publishesReleaseWhenEntryIsRemoved() {
        putWatched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        putWatched(HELD);
        published.clear();
        removeEntry();
        assertThat(publishedTypes()).containsExactly(TransitionType.LockReleased);
        assertThat(published.get(0).at())
                .isEqualTo(ExecutionSamples.completedStatus(FIRST).completionTime());
    }

    @Test
    void publishesReleaseOfDeletedHolder() {
        putWatched(HELD);
        removeEntry();
        assertThat(publishedTypes()).containsExactly(TransitionType.LockReleased);
    }

    /** The record of a release belongs to the remediation, whoever derives it. */
    @Test
    void releaseNamesRemediationOfHolder() {
        Execution remediated = ExecutionMapper.fromDocument(Json.fromMap(
                Map.of(
                        "metadata",
                        Map.of(
                                "name",
                                "e1",
                                "namespace",
                                "ops",
                                "uid",
                                FIRST.ref().uid(),
                                "creationTimestamp",
                                "2026-11-18T11:59:00Z"),
                        "spec",
                        Map.of(
                                "workflowRef",
                                Map.of("workflowId", "repair", "containerImage", "simulated.local/succeed"),
                                "remediationRequestRef",
                                Map.of("name", "rr-1", "namespace", "ops"),
                                "targetResource",
                                ExecutionSamples.NODE.canonical())),
                WorkflowExecution.class));
        putWatched(remediated.withStatus(ExecutionSamples.runningStatus(remediated)));
        putWatched(ExecutionSamples.heldEntry(remediated));
        published.clear();
        putWatched(FREE);
        assertThat(published).singleElement().satisfies(release -> {
            assertThat(release.type()).isEqualTo(TransitionType.LockReleased);
            assertThat(release.correlationId())
                    .isEqualTo(remediated.spec().remediationId().orElseThrow());
        });
    }

    /** The watch may be faster than the response to the request. */
    @Test
    void deletionThroughThisProcessNamesItsActor() {
        putWatched(FIRST);
        putWatched(SECOND);
        deletions.add(FIRST.ref(), "anna");
        published.clear();
        executions.remove(FIRST.ref().toString());
        executions.remove(SECOND.ref().toString());
        assertThat(published)
                .extracting(Transition::message)
                .containsExactly("deleted by anna", "deleted by an unknown user of the API server");
    }

    @Test
    void findsTransitionsOfPeriodOldestFirst() {
        Execution completed = FIRST.withStatus(ExecutionSamples.completedStatus(FIRST));
        putWatched(completed);
        putWatched(SECOND);
        List<Transition> all = replayer.transitionsBetween(Instant.EPOCH, ExecutionSamples.NOW.plusSeconds(3600));
        assertThat(all.stream().map(transition -> transition.execution().orElseThrow()))
                .containsExactly(FIRST.ref(), FIRST.ref(), SECOND.ref(), FIRST.ref(), FIRST.ref());
        assertThat(all)
                .filteredOn(transition -> transition.execution().equals(Optional.of(FIRST.ref())))
                .extracting(Transition::type)
                .containsExactly(
                        TransitionType.WorkflowAccepted,
                        TransitionType.PipelineRunCreated,
                        TransitionType.WorkflowCompleted,
                        TransitionType.LockReleased);
        Instant end = ExecutionSamples.completedStatus(FIRST).completionTime();
        assertThat(replayer.transitionsBetween(end, end.plusSeconds(3600)))
                .extracting(Transition::type)
                .doesNotContain(TransitionType.WorkflowCompleted);
    }

    /** The entry was deleted by hand and will be restored. */
    @Test
    void doesNotPublishReleaseWhenEntryOfRunningHolderIsDeleted() {
        putWatched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        putWatched(HELD);
        published.clear();
        removeEntry();
        assertThat(published).isEmpty();
    }

    @Test
    void doesNotPublishReleaseOfFreeEntry() {
        putWatched(FREE);
        removeEntry();
        assertThat(published).isEmpty();
    }

    /** A cancellation with kubectl has no time. */
    @Test
    void doesNotRepublishOldCancellation() {
        putWatched(FIRST.cancelledBy("anna").withStatus(ExecutionSamples.completedStatus(FIRST)));
        published.clear();
        new EventReplayer(executions, targets, published::add, () -> ExecutionSamples.NOW.plus(Duration.ofHours(2)))
                .start();
        assertThat(published).isEmpty();
    }

    @Test
    void publishesClearanceOfHeldTarget() {
        Clearance clearance = new Clearance("anna", "looked", ExecutionSamples.NOW);
        LedgerEntry blocked = ExecutionSamples.blockedEntry(FIRST);
        putWatched(blocked);
        LedgerEntry cleared = blocked.clear(clearance).orElseThrow();
        putWatched(cleared);
        putWatched(ExecutionSamples.heldEntry((LedgerEntry.Free) cleared, SECOND));
        assertThat(publishedTypes()).containsExactly(TransitionType.BlockCleared);
        assertThat(published.get(0))
                .isEqualTo(TransitionHistory.clearance(cleared, Stream.empty()).orElseThrow());
    }

    @Test
    void doesNotRepublishOldClearance() {
        Clearance old = new Clearance("anna", "looked", ExecutionSamples.NOW.minus(Duration.ofHours(2)));
        putWatched(ExecutionSamples.blockedEntry(FIRST));
        putWatched(ExecutionSamples.blockedEntry(FIRST).clear(old).orElseThrow());
        assertThat(published).isEmpty();
    }

    @Test
    void publishesNothingBeforeStart() {
        List<Transition> publishedByFollower = new ArrayList<>();
        EventReplayer follower =
                new EventReplayer(executions, targets, publishedByFollower::add, () -> ExecutionSamples.NOW);
        putWatched(HELD);
        putWatched(FREE);
        assertThat(publishedByFollower).isEmpty();
        follower.start();
        putWatched(HELD);
        putWatched(FREE);
        assertThat(publishedByFollower).isNotEmpty();
    }
}
