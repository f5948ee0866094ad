package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.plan.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Stores endpoints and their runs. The store's clock decides what is due and which leases have expired, so clocks of
 * servers may differ. Safe for concurrent use by many threads and servers.
 */
public interface EndpointStore {

    /** Selects endpoints by state. Only {@link #ARCHIVED} selects archived ones; the others may overlap. */
    enum EndpointFilter {
        ALL,
        /** The last run failed. */
        FAILING,
        PAUSED,
        /** Claimed by a worker. */
        RUNNING,
        ARCHIVED
    }

    /**
     * Selects runs.
     *
     * @param failed true for failed runs, false for successful ones, empty for all
     */
    record RunFilter(Optional<String> endpointId, Optional<Boolean> failed) {
        public static final RunFilter ALL = new RunFilter(Optional.empty(), Optional.empty());
    }

    /** Returns a local estimate of the store's clock; reading it needs no query. */
    InstantSource clock();

    /** Returns how often the store's clock was found set back by more than a second since the start. */
    int clockSetBackCount();

    // ---- For users

    /** Returns the active endpoint with that name. */
    Optional<StoredEndpoint> findByName(String name);

    /** Returns the endpoint with that id, active or archived. */
    Optional<StoredEndpoint> get(String id);

    /** Returns the active endpoints with these names, by name. */
    Map<String, StoredEndpoint> findByName(Collection<String> names);

    /**
     * Applies all changes or none, and notifies the workers of all servers.
     *
     * @return false if a name is taken or an endpoint was changed since it was read
     */
    boolean apply(List<EndpointChange> changes);

    /**
     * Reads active endpoints and applies changes computed from them in one transaction: all or none. Notifies the
     * workers of all servers if there are changes.
     *
     * @param changes computes the changes from the endpoints read, by name. May update only these. Must not block or
     *     have side effects, because it may be called several times. Its exceptions are rethrown; nothing is changed
     *     then
     * @return false if the name of a created or renamed endpoint is taken
     */
    boolean apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> changes);

    /**
     * Archives the active endpoint with that name without parsing it, so that an unreadable one can be removed. Drops
     * its overrides; a run in progress sees a change by a user.
     *
     * @return its id; empty if no active endpoint has that name
     */
    Optional<String> archive(String name);

    /** Lists endpoints by name. */
    Page<StoredEndpoint> listEndpoints(EndpointFilter filter, String token, int limit);

    /** Lists runs, the last finished first. */
    Page<FinishedRun> listRuns(RunFilter filter, String token, int limit);

    Optional<FinishedRun> getRun(String endpointId, long number);

    EndpointBacklog backlog();

    // ---- For workers

    /**
     * Claims due endpoints, the longest due first: those whose slot has come and whose lease, if any, has expired.
     * Never exceeds {@link ClaimRequest#concurrencyPerHost}.
     */
    List<EndpointClaim> claim(ClaimRequest request);

    /** Returns those of these hosts that have due endpoints; looks only at the longest due endpoints. */
    Set<String> dueHosts(Set<String> hosts);

    /** Returns when the next endpoint becomes due whose host is none of these. */
    NextDue nextDue(Set<String> exceptHosts);

    /**
     * Records results in one transaction: adds the runs to the history, releases the leases and stores the next plans.
     * Skips each result whose lease was lost or whose endpoint was changed.
     *
     * @return the outcome of each result, in the same order
     */
    List<RecordOutcome> record(List<RunResult> results);

    /**
     * Extends leases to now plus the endpoint's timeout and the margin. Never shortens one: the timeout may have been
     * reduced, but a call in flight keeps the timeout that it started with.
     *
     * @return new expiry of the leases still held, by endpoint id
     */
    Map<String, Instant> renew(Collection<EndpointClaim> claims, Duration margin);

    /** Releases leases, so that the endpoints can be claimed again at once; the attempts stay counted. */
    void release(Collection<EndpointClaim> claims);

    /** Returns endpoints with a due remediation, each to one caller at a time. */
    List<StoredEndpoint> claimDueRemediations(int limit);

    /**
     * Records the result of a remediation request. Replaces results of earlier runs, and of the same run unless that
     * was {@link RemediationAttempt.State#REQUESTED} and this is not.
     */
    void recordRemediation(String endpointId, RemediationAttempt attempt);

    /** Deletes up to {@code limit} runs that ended before the given time, and returns their number. */
    int prune(Instant before, int limit);

    /** Runs the callback soon after any server changes an endpoint so that it may be due earlier. */
    Journal.Subscription onChange(Runnable callback);

    /**
     * Number of endpoints by state.
     *
     * @param endpoints all active ones
     * @param waiting due and not claimed
     * @param claimed claimed by a worker of any server
     */
    record EndpointBacklog(long endpoints, long waiting, long claimed) {}

    /**
     * When the next endpoint becomes due.
     *
     * @param storeTime current time of the store's clock
     * @param dueAt earliest time at which an endpoint can be claimed; empty if no run is planned
     */
    record NextDue(Instant storeTime, Optional<Instant> dueAt) {}

    /**
     * A worker's request to claim due endpoints.
     *
     * @param workerName shown to users
     * @param leaseToken token of the new leases, unique to this request
     * @param limit maximum number of claims
     * @param concurrencyPerHost maximum number of concurrent calls to one host, including {@code callsByHost}
     * @param callsByHost calls of this worker in flight, by host; hosts without calls may be missing
     * @param leaseMargin how long a lease lasts beyond the endpoint's timeout
     */
    record ClaimRequest(
            String workerName,
            String leaseToken,
            int limit,
            int concurrencyPerHost,
            Map<String, Integer> callsByHost,
            Duration leaseMargin) {

        public ClaimRequest {
            callsByHost = Map.copyOf(callsByHost);
        }
    }

    /** A change by a user. */
    sealed interface EndpointChange {

        ScheduledEndpoint endpoint();

        record Create(ScheduledEndpoint endpoint) implements EndpointChange {}

        /**
         * Updates an endpoint. A run in progress continues; its result is replanned from the updated endpoint.
         *
         * @param current the endpoint as read; the update fails if its version has changed
         * @param endpoint has the same id, run number and creation time
         */
        record Update(StoredEndpoint current, ScheduledEndpoint endpoint) implements EndpointChange {}
    }

    /**
     * The result of a run and its consequences, recorded atomically.
     *
     * @param claim claim of the run, with the revision that the next plan is based on
     * @param history history including the run
     * @param remediationDue whether to request a remediation; if not, one that was due is cancelled
     */
    record RunResult(
            EndpointClaim claim, FinishedRun run, RunHistory history, PlannedRun nextRun, boolean remediationDue) {}

    /** The outcome of recording a result. */
    enum RecordOutcome {
        RECORDED,
        /**
         * A user changed the endpoint during the run. Nothing was written: replan from the changed endpoint and retry.
         */
        ENDPOINT_CHANGED,
        /** The lease was lost or the endpoint does not exist. Nothing was written; a retry cannot succeed. */
        LEASE_LOST
    }
}
