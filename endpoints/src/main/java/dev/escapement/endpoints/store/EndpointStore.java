package dev.escapement.endpoints.store;

import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.RemediationAttempt;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Keeps endpoints and their runs. Its own clock decides what is due and what has lapsed, so that workers need not agree
 * on the time. Safe for many threads and many servers.
 */
public interface EndpointStore {

    /** Which endpoints. */
    record EndpointFilter(Optional<State> state) {
        /** All that are not archived. */
        public static final EndpointFilter ALL = new EndpointFilter(Optional.empty());

        /** What an endpoint is like. */
        public enum State {
            /** The last run failed. */
            FAILING,
            /** Paused now. */
            PAUSED,
            /** Being run now. */
            RUNNING,
            /** Archived. */
            ARCHIVED
        }
    }

    /**
     * Which runs.
     *
     * @param endpointId id
     * @param failed only those that failed, or only those that did not
     */
    record RunFilter(Optional<String> endpointId, Optional<Boolean> failed) {
        /** All of them. */
        public static final RunFilter ALL = new RunFilter(Optional.empty(), Optional.empty());
    }

    /** The clock of the store, as exactly as it is known here; it costs no question. */
    InstantSource clock();

    // ---- what people ask

    /** The endpoint of that name that is not archived. */
    Optional<StoredEndpoint> findByName(String name);

    /** The endpoint with that id, archived or not. */
    Optional<StoredEndpoint> get(String id);

    /** Those of these names that are not archived, by name. */
    Map<String, StoredEndpoint> findByName(Collection<String> names);

    /**
     * Makes all of the changes or none, and wakes the workers of all servers if they were made.
     *
     * @return whether they were made; if not, a name is taken or somebody else was there in between
     */
    boolean apply(List<EndpointChange> writes);

    /**
     * Reads the endpoints of these names that are not archived and makes the changes that follow from them, as one:
     * nobody is there in between. All of the changes are made or none, and the workers of all servers are woken if any
     * were.
     *
     * @param changes from what was read, by name; it may be asked several times and must not change anything else, and
     *     it changes only what was read, without waiting for anybody. What it throws is thrown on, and nothing is
     *     changed
     * @return whether they were made; if not, a name that is created, or changed to, is taken
     */
    boolean apply(Collection<String> names, Function<Map<String, StoredEndpoint>, List<EndpointChange>> changes);

    /**
     * Archives the endpoint of that name without reading what is stored of it, so that even one that cannot be read can
     * be got rid of. Its hints, its pause and its wishes are over; a run that is going on finds a change by people.
     *
     * @return its id; empty if there is none of that name that is not archived
     */
    Optional<String> archive(String name);

    /** Endpoints by name. */
    Page<StoredEndpoint> listEndpoints(EndpointFilter filter, String token, int limit);

    /** Runs, the last that ended first. */
    Page<FinishedRun> listRuns(RunFilter filter, String token, int limit);

    /** One run. */
    Optional<FinishedRun> getRun(String endpoint, long number);

    /** How much there is to do. */
    EndpointBacklog backlog();

    // ---- what workers ask

    /**
     * Claims what is due, the longest due first, in one statement: endpoints whose slot has come and whose lease, if
     * there is one, has lapsed. Never more of a host than {@code perHost} minus what is busy of it.
     */
    List<EndpointClaim> claim(ClaimRequest demand);

    /** Those of these hosts of which something can be claimed now; what is due longest is looked at, not all of it. */
    Set<String> dueHosts(Set<String> hosts);

    /** When there is something to claim that is of none of these hosts. */
    NextDue nextDue(Set<String> exceptHosts);

    /**
     * Records results in one transaction, each only if its lease is still held under its token and nobody has changed
     * the endpoint: then the run is in the history, the lease is free, the next run is planned.
     *
     * @return one for each, in their order
     */
    List<RecordOutcome> record(List<RunResult> results);

    /**
     * Prolongs leases by the endpoint's timeout and the margin, from now; never shortens one, whatever people have made
     * of the timeout meanwhile: a call that goes on has the timeout that it began with.
     *
     * @return those that are still held, by endpoint id, with their new end
     */
    Map<String, Instant> renew(Collection<EndpointClaim> claims, java.time.Duration margin);

    /** Gives leases back, as if they had not been claimed; attempts stay counted. */
    void release(Collection<EndpointClaim> claims);

    /** Endpoints for which a remediation is due, and which were not looked at for a while. */
    List<StoredEndpoint> claimDueRemediations(int limit);

    /**
     * Writes down what became of a remediation. A {@link RemediationAttempt.State#REQUESTED} takes the place of
     * whatever else was written for the same run; nothing takes the place of what was written for a later one.
     */
    void recordRemediation(String endpoint, RemediationAttempt remedy);

    /** Removes runs that ended before, at most so many; returns how many. */
    int prune(Instant before, int limit);

    /** Calls back soon after somebody, on any server, has changed something that may be due earlier than before. */
    Journal.Subscription onChange(Runnable callback);
}
