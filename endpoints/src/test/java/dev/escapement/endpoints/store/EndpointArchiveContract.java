package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointOverrides.RunNowRequest;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import dev.escapement.endpoints.store.EndpointStore.RunResult;
import dev.escapement.governor.plan.Hint.IntervalHint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Contract of archiving by name, without reading the endpoint. */
public abstract class EndpointArchiveContract extends EndpointStoreContract {

    private static final EndpointOverrides OVERRIDES = new EndpointOverrides(
            Optional.of(new EndpointPause(NOW.plusSeconds(50), "ann", "holiday")),
            List.of(new IntervalHint(Duration.ofSeconds(10), NOW, NOW.plusSeconds(100), "ann", "look closer")),
            Optional.of(new RunNowRequest(NOW, "eve", "now")),
            false);

    private List<String> idsInState(EndpointFilter state) {
        return store().listEndpoints(state, "", 10).items().stream()
                .map(each -> each.endpoint().id())
                .toList();
    }

    @Test
    void archivesLikeReadAndUpdate() {
        ScheduledEndpoint steered = withChange(newEndpoint("one", NOW), OVERRIDES);
        create(steered);

        assertThat(store().archive("one")).contains("id-one");

        StoredEndpoint after = getStored("one");
        assertThat(after.endpoint())
                .isEqualTo(steered.withChanges(
                        steered.definition(), OVERRIDES.archive(), steered.history(), EndpointPlanner.ARCHIVED_PLAN));
        assertThat(store().findByName("one")).isEmpty();
        assertThat(idsInState(EndpointFilter.ARCHIVED)).containsExactly("id-one");
        assertThat(idsInState(EndpointFilter.PAUSED)).isEmpty();
        assertThat(store().backlog().endpoints()).isZero();
        setNow(NOW.plusSeconds(1_000));
        assertThat(claim(10)).isEmpty();
    }

    @Test
    void archivesOnlyNamedEndpointOnce() {
        create(newEndpoint("one", NOW), newEndpoint("other", NOW));

        assertThat(store().archive("nobody")).isEmpty();
        assertThat(store().archive("one \0")).isEmpty();
        assertThat(store().archive("one")).contains("id-one");
        StoredEndpoint archived = getStored("one");
        assertThat(store().archive("one")).isEmpty();

        assertThat(getStored("one")).isEqualTo(archived);
        assertThat(store().findByName("other")).isPresent();
    }

    @Test
    void freesTheName() {
        create(newEndpoint("one", NOW));
        store().archive("one");
        ScheduledEndpoint next = new ScheduledEndpoint(
                "id-next",
                NOW,
                newEndpoint("one", NOW).definition(),
                EndpointOverrides.NONE,
                newEndpoint("one", NOW).history(),
                1,
                plannedAt(NOW),
                Optional.empty());
        create(next);

        assertThat(store().archive("one")).contains("id-next");
        assertThat(idsInState(EndpointFilter.ARCHIVED)).containsExactly("id-next", "id-one");
    }

    @Test
    void invalidatesEarlierReads() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        StoredEndpoint seen = getStored("one");
        store().archive("one");

        assertThat(store().apply(List.of(new EndpointChange.Update(seen, seen.endpoint()))))
                .isFalse();
        RunResult result = successOf(claim);
        assertThat(store().record(List.of(result))).containsExactly(RecordOutcome.ENDPOINT_CHANGED);
        EndpointClaim anew = new EndpointClaim(
                getStored("one").endpoint(), getStored("one").revision(), claim.host(), claim.lease());
        RunResult last = new RunResult(anew, result.run(), result.history(), EndpointPlanner.ARCHIVED_PLAN, false);
        assertThat(store().record(List.of(last))).containsExactly(RecordOutcome.RECORDED);
        assertThat(store().getRun("id-one", 1)).contains(result.run());
        assertThat(getStored("one").endpoint().nextRun()).isEqualTo(EndpointPlanner.ARCHIVED_PLAN);
    }
}
