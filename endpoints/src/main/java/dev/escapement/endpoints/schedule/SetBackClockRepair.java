package dev.escapement.endpoints.schedule;

import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.ScheduledEndpoint.PlannedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.governor.plan.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replans endpoints whose next run is later than a new plan would put it. That happens only if the clock was set
 * forward, runs were planned by it, and it was set back: without a repair such an endpoint would be silent until then.
 * Looks once after the start, and again each time the store's clock was set back. Used by one thread.
 */
public final class SetBackClockRepair {

    private static final Logger LOG = LoggerFactory.getLogger(SetBackClockRepair.class);
    private static final int PAGE_SIZE = 500;

    /** Differences of clocks and of rounding are no reason to plan again. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final EndpointStore store;
    private final EndpointPlanner planner;
    private int repairedSetBacks = -1;

    public SetBackClockRepair(EndpointStore store, EndpointPlanner planner) {
        this.store = store;
        this.planner = planner;
    }

    /** Repairs all endpoints if the clock may have been set back since the last call, and returns their number. */
    public int repairIfSetBack() {
        int setBacks = store.clockSetBackCount();
        if (setBacks == repairedSetBacks) {
            return 0;
        }
        int repaired = 0;
        Optional<String> token = Optional.of("");
        while (token.isPresent()) {
            Page<StoredEndpoint> page = store.listEndpoints(EndpointFilter.ALL, token.get(), PAGE_SIZE);
            repaired += repair(page.items());
            token = page.nextToken();
        }
        // Only now: after a failure the next call looks at all of them again.
        repairedSetBacks = setBacks;
        if (repaired > 0) {
            LOG.warn(
                    "The clock was set back: replanned={} endpoints whose next run was too far in the future",
                    repaired);
        }
        return repaired;
    }

    private int repair(List<StoredEndpoint> endpoints) {
        List<String> names = endpoints.stream()
                .filter(stored -> findRepair(stored).isPresent())
                .map(stored -> stored.endpoint().definition().name())
                .toList();
        if (!names.isEmpty()) {
            // Decided again from what the transaction reads: an endpoint may have run or changed since.
            store.apply(
                    names,
                    existing -> existing.values().stream()
                            .flatMap(stored -> findRepair(stored).stream()
                                    .<EndpointChange>map(repaired -> new EndpointChange.Update(stored, repaired)))
                            .toList());
        }
        return names.size();
    }

    /** Returns the endpoint with a new plan if that is earlier; a run that has been attempted keeps its slot. */
    private Optional<ScheduledEndpoint> findRepair(StoredEndpoint stored) {
        if (stored.attempts() > 0) {
            return Optional.empty();
        }
        Instant now = store.clock().instant();
        ScheduledEndpoint endpoint = stored.endpoint();
        RunHistory history = endpoint.history().correctedTo(now, TOLERANCE);
        PlannedRun plan = planner.plan(endpoint.id(), endpoint.definition(), endpoint.overrides(), history, now);
        Optional<Instant> latest = plan.at().map(at -> at.plus(TOLERANCE));
        boolean tooLate = endpoint.nextRun()
                .at()
                .filter(planned -> latest.filter(planned::isAfter).isPresent())
                .isPresent();
        return tooLate || !history.equals(endpoint.history())
                ? Optional.of(endpoint.withChanges(endpoint.definition(), endpoint.overrides(), history, plan))
                : Optional.empty();
    }
}
