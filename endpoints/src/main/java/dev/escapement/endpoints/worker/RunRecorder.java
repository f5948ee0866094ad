package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.Endpoint;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.MissedRuns;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.RecordOutcome;
import dev.escapement.endpoints.store.RunResult;
import dev.escapement.endpoints.worker.InFlightCall.FinishedCall;
import dev.escapement.governor.plan.LastRun;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.problem.UnexpectedStorageException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what has landed: first the outcome is counted, then the next run is planned, and both are written together.
 * What cannot be written yet is kept, and tried again.
 */
final class RunRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(RunRecorder.class);

    /** So that one transaction does not get out of hand. */
    static final int MAX_BATCH = 500;

    private final EndpointStore store;
    private final EndpointPlanner planner;
    private final EndpointWorkerListener listener;
    private final List<FinishedCall> pending = new ArrayList<>();
    private volatile int count;

    RunRecorder(EndpointStore store, EndpointPlanner planning, EndpointWorkerListener listener) {
        this.store = store;
        this.planner = planning;
        this.listener = listener;
    }

    void add(List<FinishedCall> landed) {
        pending.addAll(landed);
        count = pending.size();
    }

    /** How many are not recorded yet. */
    int count() {
        return count;
    }

    List<EndpointClaim> claims() {
        return pending.stream().map(landed -> landed.call().claim()).toList();
    }

    /**
     * Records what there is, as far as it goes now.
     *
     * @param planned hears when the next runs are of those that are recorded, even if something fails after that
     */
    void record(Consumer<Instant> planned) {
        if (pending.isEmpty()) {
            return;
        }
        List<FinishedCall> part = List.copyOf(pending.subList(0, Math.min(MAX_BATCH, pending.size())));
        List<RunResult> results = part.stream().map(this::toRunResult).toList();
        List<RecordOutcome> verdicts = store.record(results);
        pending.subList(0, part.size()).clear();
        List<FinishedCall> changed = new ArrayList<>();
        int lost = 0;
        for (int i = 0; i < part.size(); i++) {
            switch (verdicts.get(i)) {
                case RECORDED -> {
                    RunResult result = results.get(i);
                    notifyListener(result);
                    result.nextRun().at().ifPresent(planned);
                }
                case ENDPOINT_CHANGED -> changed.add(part.get(i));
                case LEASE_LOST -> lost++;
            }
        }
        // Kept until they were seen anew: a result that is known must not get lost with a question about it.
        pending.addAll(changed);
        count = pending.size();
        if (lost > 0) {
            listener.onLeaseLost(lost);
        }
        changed.forEach(this::refreshClaim);
    }

    private void notifyListener(RunResult result) {
        listener.onRunRecorded(result.run());
        if (result.remediationDue()) {
            listener.onRemediationDue();
        }
    }

    /** People have changed it while it ran: what they say now is what the next run is planned from. */
    private void refreshClaim(FinishedCall landed) {
        EndpointClaim old = landed.call().claim();
        Optional<StoredEndpoint> seen = readEndpoint(landed.call().endpointId())
                .filter(now -> now.lease()
                        .filter(lease -> lease.token().equals(old.lease().token()))
                        .isPresent());
        pending.remove(landed);
        seen.ifPresentOrElse(
                now -> pending.add(
                        landed.withClaim(new EndpointClaim(now.endpoint(), now.revision(), old.host(), old.lease()))),
                () -> listener.onLeaseLost(1));
        count = pending.size();
    }

    /**
     * What cannot be read here is left to a worker that can, when the lease has lapsed: it must not hold up the others.
     */
    private Optional<StoredEndpoint> readEndpoint(String endpoint) {
        try {
            return store.get(endpoint);
        } catch (UnexpectedStorageException unreadable) {
            LOG.warn("the result of a run is left out: {}", unreadable.getMessage(), unreadable);
            return Optional.empty();
        }
    }

    private RunResult toRunResult(FinishedCall landed) {
        EndpointClaim claim = landed.call().claim();
        Endpoint endpoint = claim.endpoint();
        EndpointDefinition definition = endpoint.definition();
        Instant slot = landed.call().slot();
        Instant endedAt = landed.endedAt().truncatedTo(ChronoUnit.MICROS);
        CallResult answer = landed.result();
        RunHistory before = endpoint.history();
        RunHistory after = updateHistory(before, landed, endedAt);
        Instant now = store.clock().instant();
        PlannedRun next = planner.plan(endpoint.id(), definition, endpoint.overrides(), after, now);
        MissedRuns missed = MissedRuns.countAfter(
                slot, landed.call().plannedRun().source(), landed.call().startedAt(), definition, after, next, now);
        FinishedRun run = new FinishedRun(
                endpoint.id(),
                definition.name(),
                endpoint.nextRunNumber(),
                claim.lease().attempt(),
                slot,
                claim.lease().attempt() == 1 ? slot : claim.lease().claimedAt(),
                landed.call().startedAt().truncatedTo(ChronoUnit.MICROS),
                endedAt,
                claim.lease().workerName(),
                landed.call().plannedRun().source(),
                landed.call().plannedRun().planJson(),
                before.failures(),
                after.failures(),
                answer,
                missed.count(),
                missed.reason());
        boolean remedyDue = definition
                .remediation()
                .filter(remediation -> landed.countsAsOutcome() && after.failures() >= remediation.afterFailures())
                .isPresent();
        return new RunResult(claim, run, after, next, remedyDue);
    }

    /** What was never called says nothing about the other side. */
    private static RunHistory updateHistory(RunHistory before, FinishedCall landed, Instant endedAt) {
        Instant slot = landed.call().slot();
        if (!landed.countsAsOutcome()) {
            return new RunHistory(before.origin(), before.failures(), Optional.of(new LastRun(slot, endedAt)));
        }
        return landed.result().isSuccess()
                ? before.withSuccess(slot, endedAt)
                : before.withFailure(slot, endedAt, landed.result().retryAfter());
    }
}
