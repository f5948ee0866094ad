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
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private final Deque<Runnable> scheduledChecks = new ArrayDeque<>();
    private final EventReplayer replayer = newReplayer(published, ExecutionSamples.NOW);
    /** The execution that the API server has. */
    private Optional<Execution> stored = Optional.empty();

    private int version;

    @BeforeEach
    void startReplayer() {
        replayer.start();
    }

    private EventReplayer newReplayer(List<Transition> receiver, Instant now) {
        return new EventReplayer(
                executions,
                targets,
                ref -> stored.filter(execution -> execution.ref().equals(ref))
                        .map(found -> new Versioned<>(found, "1")),
                receiver::add,
                deletions,
                () -> now,
                (delay, check) -> scheduledChecks.add(check));
    }

    private void putCompletedHolder() {
        putWatched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        putWatched(HELD);
        published.clear();
    }

    private void putWatched(LedgerEntry entry) {
        RemediationTargetResource resource =
                RemediationTargetResource.updatedResource(Integer.toString(++version), entry);
        resource.getMetadata().setUid("uid");
        targets.put(resource.getMetadata().getName(), resource);
    }

    private void putWatched(Execution execution) {
        executions.put(execution.ref().toString(), resource(execution));
    }

    private WorkflowExecutionResource resource(Execution execution) {
        WorkflowExecutionResource resource =
                WorkflowExecutionResource.statusUpdate(execution, Integer.toString(++version));
        resource.getMetadata().setCreationTimestamp(execution.createdAt().toString());
        resource.setSpec(WorkflowExecutionResource.newResource(execution).getSpec());
        execution
                .cancelledBy()
                .ifPresent(by -> resource.getMetadata().setAnnotations(Map.of(ApiGroup.CANCELLED_BY, by)));
        return resource;
    }

    private void removeEntry() {
        targets.remove(ExecutionSamples.NODE.objectName());
    }

    private List<TransitionType> publishedTypes() {
        return published.stream().map(Transition::type).toList();
    }

    /** The publisher drops what it has published: the first of each type counts. */
    private void assertReleasedLast() {
        assertThat(publishedTypes().stream().distinct()).last().isEqualTo(TransitionType.LockReleased);
        assertThat(lastPublished().type()).isEqualTo(TransitionType.LockReleased);
        assertThat(lastPublished().execution()).contains(FIRST.ref());
    }

    private Transition lastPublished() {
        return published.get(published.size() - 1);
    }

    @Test
    void publishesLockRelease() {
        putCompletedHolder();
        putWatched(FREE);
        assertReleasedLast();
        assertThat(lastPublished().workflow()).isEqualTo("repair");
        putWatched(FREE);
        assertReleasedLast();
    }

    @Test
    void publishesSameReleaseEventAsReleaser() {
        putCompletedHolder();
        putWatched(FREE);
        assertThat(TransitionHistory.lockRelease(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)), FREE)
                        .map(EventMapper::eventKey))
                .contains(EventMapper.eventKey(lastPublished()));
    }

    @Test
    void publishesReleaseWhenTargetIsAlreadyHeldAgain() {
        putCompletedHolder();
        putWatched(ExecutionSamples.heldEntry(SECOND));
        assertReleasedLast();
    }

    @Test
    void publishesReleaseWhenEntryIsRemoved() {
        putCompletedHolder();
        removeEntry();
        assertReleasedLast();
        assertThat(lastPublished().at())
                .isEqualTo(ExecutionSamples.completedStatus(FIRST).completionTime());
    }

    /** The watch of targets may be ahead of the watch of executions by seconds. */
    @Test
    void publishesReleaseAfterEndOfHolder() {
        putWatched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        putWatched(HELD);
        published.clear();
        putWatched(FREE);
        assertThat(published).isEmpty();
        putWatched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        assertReleasedLast();
        assertThat(publishedTypes()).contains(TransitionType.WorkflowCompleted);
        scheduledChecks.remove().run();
        assertReleasedLast();
    }

    /** The response to the write of the final status was lost, and the watch has not reported that status. */
    @Test
    void ownReleaseIsPublishedAfterEndOfHolder() {
        putWatched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        putWatched(HELD);
        published.clear();
        executions.recordLatest(resource(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST))));
        targets.recordAbsent("", ExecutionSamples.NODE.objectName());
        replayer.publishRelease(HELD);
        assertReleasedLast();
        assertThat(publishedTypes()).contains(TransitionType.WorkflowCompleted);
    }

    @Test
    void publishesReleaseAfterDeletionOfRunningHolder() {
        putWatched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        putWatched(HELD);
        published.clear();
        putWatched(FREE);
        executions.remove(FIRST.ref().toString());
        assertThat(publishedTypes()).containsExactly(TransitionType.ExecutionDeleted, TransitionType.LockReleased);
    }

    @Test
    void publishesReleaseOfDeletedHolder() {
        putWatched(HELD);
        removeEntry();
        assertThat(published).as("perhaps the watch has not reported it yet").isEmpty();
        scheduledChecks.remove().run();
        assertReleasedLast();
    }

    /** The watch of executions is interrupted for longer than the check waits. */
    @Test
    void publishesReleaseOfHolderThatOnlyApiServerHas() {
        putWatched(HELD);
        removeEntry();
        stored = Optional.of(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        scheduledChecks.remove().run();
        assertThat(published).isEmpty();
        assertThat(replayer.isComplete()).isFalse();
        stored = Optional.of(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        scheduledChecks.remove().run();
        assertReleasedLast();
        assertThat(publishedTypes()).contains(TransitionType.WorkflowCompleted);
        assertThat(scheduledChecks).isEmpty();
        assertThat(replayer.isComplete()).isTrue();
    }

    @Test
    void publishesOwnReleaseOfDeletedHolderAtOnce() {
        replayer.publishRelease(HELD);
        assertReleasedLast();
    }

    @Test
    void doesNotPublishOwnReleaseThatFailed() {
        putCompletedHolder();
        replayer.publishRelease(HELD);
        assertThat(publishedTypes()).doesNotContain(TransitionType.LockReleased);
        assertThat(replayer.isComplete()).isTrue();
    }

    /**
     * Another leader was killed before it published both, and the watch of targets had reported the release already.
     */
    @Test
    void publishesReleaseThatWatchOfTargetsNeverReported() {
        putWatched(FIRST.withStatus(ExecutionSamples.runningStatus(FIRST)));
        putWatched(FREE);
        assertThat(publishedTypes()).doesNotContain(TransitionType.LockReleased);
        putWatched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        assertReleasedLast();
    }

    /** The record of a release belongs to the remediation, whoever derives it. */
    @Test
    void releaseNamesRemediationOfHolder() {
        Execution remediated = remediatedExecution();
        putWatched(remediated.withStatus(ExecutionSamples.completedStatus(remediated)));
        putWatched(ExecutionSamples.heldEntry(remediated));
        published.clear();
        putWatched(FREE);
        assertReleasedLast();
        assertThat(lastPublished().correlationId())
                .isEqualTo(remediated.spec().remediationId().orElseThrow());
    }

    @Test
    void releaseNamesRemediationOfDeletedHolder() {
        Execution remediated = remediatedExecution();
        putWatched(remediated.withStatus(ExecutionSamples.runningStatus(remediated)));
        executions.remove(remediated.ref().toString());
        replayer.publishRelease(ExecutionSamples.heldEntry(remediated));
        assertReleasedLast();
        assertThat(lastPublished().correlationId())
                .isEqualTo(remediated.spec().remediationId().orElseThrow());
    }

    private static Execution remediatedExecution() {
        Map<String, Object> metadata = Map.of(
                "name",
                "e1",
                "namespace",
                "ops",
                "uid",
                FIRST.ref().uid(),
                "creationTimestamp",
                "2026-11-18T11:59:00Z");
        Map<String, Object> spec = Map.of(
                "workflowRef",
                Map.of("workflowId", "repair", "containerImage", "simulated.local/succeed"),
                "remediationRequestRef",
                Map.of("name", "rr-1", "namespace", "ops"),
                "targetResource",
                ExecutionSamples.NODE.canonical());
        return ExecutionMapper.fromDocument(
                Json.fromMap(Map.of("metadata", metadata, "spec", spec), WorkflowExecution.class));
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
        putWatched(HELD);
        putWatched(FIRST.withStatus(ExecutionSamples.completedStatus(FIRST)));
        scheduledChecks.forEach(Runnable::run);
        assertThat(publishedTypes()).doesNotContain(TransitionType.LockReleased);
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
        newReplayer(published, ExecutionSamples.NOW.plus(Duration.ofHours(2))).start();
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
        EventReplayer follower = newReplayer(publishedByFollower, ExecutionSamples.NOW);
        putCompletedHolder();
        putWatched(FREE);
        assertThat(publishedByFollower).isEmpty();
        follower.start();
        putWatched(HELD);
        putWatched(FREE);
        assertThat(publishedByFollower).isNotEmpty();
    }
}
