package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Pause;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.RunRequest;
import dev.escapement.endpoints.Steering;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter.State;
import dev.escapement.governor.plan.IntervalHint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Archiving by name alone, which asks nothing of what is stored of the endpoint. */
public abstract class ArchiveContract extends EndpointStoreContract {

    private static final Steering STEERED = new Steering(
            Optional.of(new Pause(NOW.plusSeconds(50), "ann", "holiday")),
            List.of(new IntervalHint(Duration.ofSeconds(10), NOW, NOW.plusSeconds(100), "ann", "look closer")),
            Optional.of(new RunRequest(NOW, "eve", "now")),
            false);

    private List<String> found(State state) {
        return store().endpoints(new EndpointFilter(Optional.of(state)), "", 10).items().stream()
                .map(each -> each.endpoint().id())
                .toList();
    }

    @Test
    void itIsWhatItWouldBeIfItHadBeenReadAndArchived() {
        Endpoint steered = with(endpoint("one", NOW), STEERED);
        create(steered);

        assertThat(store().archive("one")).contains("id-one");

        Stored after = stored("one");
        assertThat(after.endpoint())
                .isEqualTo(steered.changed(steered.definition(), STEERED.archive(), steered.history(), Planning.NEVER));
        assertThat(store().named("one")).isEmpty();
        assertThat(found(State.ARCHIVED)).containsExactly("id-one");
        assertThat(found(State.PAUSED)).isEmpty();
        assertThat(store().backlog().endpoints()).isZero();
        now(NOW.plusSeconds(1_000));
        assertThat(claim(10)).isEmpty();
    }

    @Test
    void onlyTheOneOfThatNameIsArchivedAndOnlyOnce() {
        create(endpoint("one", NOW), endpoint("other", NOW));

        assertThat(store().archive("nobody")).isEmpty();
        assertThat(store().archive("one \0")).isEmpty();
        assertThat(store().archive("one")).contains("id-one");
        Stored archived = stored("one");
        assertThat(store().archive("one")).isEmpty();

        assertThat(stored("one")).isEqualTo(archived);
        assertThat(store().named("other")).isPresent();
    }

    @Test
    void itsNameIsFree() {
        create(endpoint("one", NOW));
        store().archive("one");
        Endpoint next = new Endpoint(
                "id-next",
                NOW,
                endpoint("one", NOW).definition(),
                Steering.NONE,
                endpoint("one", NOW).history(),
                1,
                planned(NOW),
                Optional.empty());
        create(next);

        assertThat(store().archive("one")).contains("id-next");
        assertThat(found(State.ARCHIVED)).containsExactly("id-next", "id-one");
    }

    @Test
    void whoeverReadItBeforeFindsThatItWasChanged() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        Stored seen = stored("one");
        store().archive("one");

        assertThat(store().apply(List.of(new Write.Change(seen, seen.endpoint()))))
                .isFalse();
        Result result = success(claim);
        assertThat(store().record(List.of(result))).containsExactly(Verdict.CHANGED);
        Claim anew = new Claim(stored("one").endpoint(), stored("one").revision(), claim.host(), claim.lease());
        Result last = new Result(anew, result.run(), result.history(), Planning.NEVER, false);
        assertThat(store().record(List.of(last))).containsExactly(Verdict.RECORDED);
        assertThat(store().run("id-one", 1)).contains(result.run());
        assertThat(stored("one").endpoint().planned()).isEqualTo(Planning.NEVER);
    }
}
