package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.MissedRuns;
import dev.escapement.endpoints.store.EndpointClaim;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.InFlightCalls.FinishedCall;
import dev.escapement.endpoints.worker.InFlightCalls.InFlightCall;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.governor.plan.RunHistory.LastRun;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records finished calls: adds the outcome to the history, plans the next run and writes both together. Keeps calls
 * that could not be recorded for the next attempt.
 */
final class RunRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(RunRecorder.class);

    /** Limits the size of a transaction. */
    static final int MAX_BATCH = 500;

    private final EndpointStore store;
    private final EndpointPlanner planner;
    private final EndpointWorkerListener listener;
    private final List<FinishedCall> pending = new ArrayList<>();
    private volatile int count;

    RunRecorder(EndpointStore store, EndpointPlanner planner, EndpointWorkerListener listener) {
        this.store = store;
        this.planner = planner;
        this.listener = listener;
    }

    void add(List<FinishedCall> finished) {
        pending.addAll(finished);
        count = pending.size();
    }

    int count() {
        return count;
    }

    List<EndpointClaim> claims() {
        return pending.stream().map(finished -> finished.call().claim()).toList();
    }

    /**
     * Records up to {@link #MAX_BATCH} calls.
     *
     * @param planned receives the slots of the next runs, also if a later step fails
     */
    void record(Consumer<Instant> planned) {
        if (pending.isEmpty()) {
            return;
        }
        List<FinishedCall> batch = List.copyOf(pending.subList(0, Math.min(MAX_BATCH, pending.size())));
        List<RunResult> results = batch.stream().map(this::toRunResult).toList();
        List<RecordOutcome> outcomes = store.record(results);
        pending.subList(0, batch.size()).clear();
        List<FinishedCall> changed = new ArrayList<>();
        int lost = 0;
        for (int i = 0; i < batch.size(); i++) {
            switch (outcomes.get(i)) {
                case RECORDED -> {
                    RunResult result = results.get(i);
                    listener.onRunRecorded(result.run());
                    if (result.remediationDue()) {
                        listener.onRemediationDue();
                    }
                    result.nextRun().at().ifPresent(planned);
                }
                case ENDPOINT_CHANGED -> changed.add(batch.get(i));
                case LEASE_LOST -> lost++;
            }
        }
        // Added back before they are refreshed: a query that fails must not lose a known result.
        pending.addAll(changed);
        count = pending.size();
        if (lost > 0) {
            listener.onLeaseLost(lost);
        }
        changed.forEach(this::refreshClaim);
    }

    /** Replaces the claim of an endpoint that a user changed during the run, so that the next plan is based on it. */
    private void refreshClaim(FinishedCall finished) {
        EndpointClaim old = finished.call().claim();
        Optional<StoredEndpoint> current = readEndpoint(finished.call().endpointId())
                .filter(stored -> stored.lease()
                        .filter(lease -> lease.token().equals(old.lease().token()))
                        .isPresent());
        pending.remove(finished);
        current.ifPresentOrElse(
                stored -> pending.add(finished.withClaim(
                        new EndpointClaim(stored.endpoint(), stored.revision(), old.host(), old.lease()))),
                () -> listener.onLeaseLost(1));
        count = pending.size();
    }

    /** Returns empty for an unreadable endpoint: it must not block others, and is retried when its lease expires. */
    private Optional<StoredEndpoint> readEndpoint(String endpointId) {
        try {
            return store.get(endpointId);
        } catch (UnexpectedStorageException unreadable) {
            LOG.warn(
                    "Result of a run is dropped, will retry when its lease expires: {}",
                    unreadable.getMessage(),
                    unreadable);
            return Optional.empty();
        }
    }

    private RunResult toRunResult(FinishedCall finished) {
        InFlightCall call = finished.call();
        EndpointLease lease = call.claim().lease();
        ScheduledEndpoint endpoint = call.claim().endpoint();
        EndpointDefinition definition = endpoint.definition();
        Instant endedAt = finished.endedAt().truncatedTo(ChronoUnit.MICROS);
        RunHistory before = endpoint.history();
        RunHistory after = updateHistory(before, finished, endedAt);
        Instant now = store.clock().instant();
        PlannedRun next = planner.plan(endpoint.id(), definition, endpoint.overrides(), after, now);
        String source = call.plannedRun().source();
        MissedRuns missed = MissedRuns.countAfter(call.slot(), source, call.startedAt(), definition, after, next, now);
        FinishedRun run = new FinishedRun(
                endpoint.id(),
                definition.name(),
                endpoint.nextRunNumber(),
                lease.attempt(),
                call.slot(),
                lease.attempt() == 1 ? call.slot() : lease.claimedAt(),
                call.startedAt().truncatedTo(ChronoUnit.MICROS),
                endedAt,
                lease.workerName(),
                source,
                call.plannedRun().planJson(),
                before.failures(),
                after.failures(),
                finished.result(),
                missed.count(),
                missed.reason());
        boolean remediationDue = definition
                .remediation()
                .filter(remediation -> finished.countsAsOutcome() && after.failures() >= remediation.afterFailures())
                .isPresent();
        return new RunResult(call.claim(), run, after, next, remediationDue);
    }

    /** A run without a call changes the slot, but is neither success nor failure. */
    private static RunHistory updateHistory(RunHistory before, FinishedCall finished, Instant endedAt) {
        Instant slot = finished.call().slot();
        if (!finished.countsAsOutcome()) {
            return new RunHistory(before.origin(), before.failures(), Optional.of(new LastRun(slot, endedAt)));
        }
        return finished.result().isSuccess()
                ? before.withSuccess(slot, endedAt)
                : before.withFailure(slot, endedAt, finished.result().retryAfter());
    }
}
