package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.ClusterRun;
import dev.escapement.endpoints.Definition;
import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.Pause;
import dev.escapement.endpoints.Remediation;
import dev.escapement.endpoints.RunRequest;
import dev.escapement.endpoints.Steering;
import dev.escapement.endpoints.call.Call.Method;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter.State;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.storage.SecretText;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What people do with endpoints. */
public abstract class PeopleContract extends EndpointStoreContract {

    private static final Definition RICH = new Definition(
            "rich \u00e4 \uD83D\uDE00",
            "with everything, even NUL \0",
            "https://user@example.com:8443/%20?q=\u00e4",
            Method.PATCH,
            Map.of("B", "2", "A", "1"),
            "body \0 \uD800",
            Duration.ofMillis(1_500),
            Optional.empty(),
            CronExpression.of("*/5 * * * *", ZoneId.of("Europe/Berlin")),
            Optional.of(Duration.ofSeconds(30)),
            Optional.of(Duration.ofHours(1)),
            Optional.of(new Remediation(
                    3,
                    "ns",
                    "heal",
                    Target.parse("node/a"),
                    Map.of("k", "v"),
                    new ClusterRun("registry.example/heal:1", "sha256:0", "job", "healer"))));

    private static final Steering STEERED = new Steering(
            Optional.of(new Pause(NOW.plusSeconds(5), "ann", "holiday")),
            List.of(
                    new IntervalHint(Duration.ofSeconds(10), NOW, NOW.plusSeconds(100), "ann", "look closer"),
                    new OneShotHint(NOW.plusSeconds(7), NOW, NOW.plusSeconds(100), "bob", "once")),
            Optional.of(new RunRequest(NOW, "eve", "now")),
            false);

    private static Endpoint rich() {
        Endpoint plain = endpoint("rich", NOW);
        return plain.changed(RICH, STEERED, plain.history(), plain.planned());
    }

    @Test
    void anEndpointIsReadAsItWasWritten() {
        create(rich());
        Stored stored = stored("rich");
        assertThat(stored.endpoint()).isEqualTo(rich());
        assertThat(stored.lease()).isEmpty();
        assertThat(store().named(RICH.name())).contains(stored);
        assertThat(store().named(List.of("other", RICH.name()))).containsExactlyEntriesOf(Map.of(RICH.name(), stored));
        assertThat(store().named("other")).isEmpty();
        assertThat(store().get("id \0 of nobody")).isEmpty();
    }

    @Test
    void aSigningKeyIsKept() {
        Endpoint plain = endpoint("signed", NOW);
        Definition old = plain.definition();
        Definition signed = new Definition(
                old.name(),
                old.description(),
                old.url(),
                old.method(),
                old.headers(),
                old.body(),
                old.timeout(),
                Optional.of(SecretText.of("whsec_c2VjcmV0")),
                old.baseline(),
                old.minInterval(),
                old.maxInterval(),
                old.remediation());
        create(plain.changed(signed, plain.steering(), plain.history(), plain.planned()));
        assertThat(claimOne().endpoint().definition().signingKey().map(SecretText::reveal))
                .contains("whsec_c2VjcmV0");
    }

    @Test
    void hintsAndWishesSurviveARun() {
        create(rich());
        Claim claim = claimOne();
        assertThat(claim.endpoint()).isEqualTo(rich());
        store().record(List.of(success(claim)));
        assertThat(stored("rich").endpoint().steering()).isEqualTo(STEERED);
        assertThat(stored("rich").endpoint().definition()).isEqualTo(RICH);
    }

    @Test
    void aNameIsTakenUntilItsEndpointIsArchived() {
        Endpoint first = endpoint("one", NOW);
        Endpoint second = withId(first, "id-second");
        create(first);
        assertThat(store().apply(List.of(new Write.Create(second)))).isFalse();
        assertThat(store().get("id-second")).isEmpty();
        change("one", EndpointStoreContract::archived);
        assertThat(store().named("one")).isEmpty();
        create(second);
        assertThat(store().named("one").orElseThrow().endpoint()).isEqualTo(second);
        assertThat(stored("one").endpoint().steering().archived()).isTrue();
    }

    private static Endpoint withId(Endpoint endpoint, String id) {
        return new Endpoint(
                id,
                endpoint.createdAt(),
                endpoint.definition(),
                endpoint.steering(),
                endpoint.history(),
                endpoint.number(),
                endpoint.planned(),
                endpoint.remedy());
    }

    @Test
    void aChangeToATakenNameIsRefused() {
        create(endpoint("one", NOW), endpoint("two", NOW));
        Stored seen = stored("two");
        Endpoint renamed = withId(endpoint("one", NOW), "id-two");
        assertThat(store().apply(List.of(new Write.Change(seen, renamed)))).isFalse();
        assertThat(stored("two")).isEqualTo(seen);
    }

    @Test
    void manyChangesAreMadeTogetherOrNotAtAll() {
        create(endpoint("b", NOW), endpoint("c", NOW));
        Stored b = stored("b");
        Stored c = stored("c");
        Endpoint next = with(b.endpoint(), planned(NOW.plusSeconds(9)));
        List<Write> good = List.of(new Write.Create(endpoint("a", NOW)), new Write.Change(b, next));
        List<Write> bad = new ArrayList<>(good);
        bad.add(new Write.Create(withId(endpoint("c", NOW), "id-other")));
        assertThat(store().apply(bad)).isFalse();
        assertThat(store().get("id-a")).isEmpty();
        assertThat(stored("b")).isEqualTo(b);
        assertThat(store().apply(good)).isTrue();
        assertThat(stored("b").endpoint()).isEqualTo(next);
        assertThat(store().get("id-a")).isPresent();
        assertThat(stored("c")).isEqualTo(c);
        // Somebody was there in between.
        assertThat(store().apply(List.of(new Write.Change(c, c.endpoint()), new Write.Change(b, next))))
                .isFalse();
        assertThat(stored("c")).isEqualTo(c);
    }

    @Test
    void aChangeMustHaveSeenTheLastClaimAndResult() {
        create(endpoint("one", NOW));
        Stored before = stored("one");
        Claim claim = claimOne();
        assertThat(store().apply(List.of(new Write.Change(before, before.endpoint()))))
                .isFalse();
        Stored running = stored("one");
        store().record(List.of(success(claim)));
        assertThat(store().apply(List.of(new Write.Change(running, running.endpoint()))))
                .isFalse();
        change("one", endpoint -> with(endpoint, planned(NOW)));
        assertThat(names(claim(1))).containsExactly("one");
    }

    @Test
    void aChangeKeepsWhatIsKnownOfTheRemedy() {
        create(endpoint("one", NOW));
        Endpoint seen = stored("one").endpoint();
        var remedy = new dev.escapement.endpoints.Remedy(
                1, NOW, dev.escapement.endpoints.Remedy.State.REFUSED, Optional.empty(), "why", Optional.empty());
        store().settle("id-one", remedy);
        change("one", endpoint -> with(endpoint, STEERED));
        assertThat(stored("one").endpoint().remedy()).contains(remedy);
        assertThat(seen.remedy()).isEmpty();
    }

    @Test
    void listsAreCompleteInOrderAndStableWhileTheyChange() {
        List<String> names = List.of("A", "Z", "a", "b", "c", "d", "e", "\u00e4", "\uFFEE", "\uD83D\uDE00");
        names.forEach(name -> create(endpoint(name, NOW)));
        for (int limit = 1; limit <= 11; limit++) {
            List<String> found = new ArrayList<>();
            String token = "";
            do {
                Page<Stored> page = store().endpoints(EndpointFilter.ALL, token, limit);
                page.items()
                        .forEach(each -> found.add(each.endpoint().definition().name()));
                token = page.nextToken().orElse("");
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            } while (!token.isEmpty());
            assertThat(found).containsExactlyElementsOf(names);
        }
        assertThatThrownBy(() -> store().endpoints(EndpointFilter.ALL, "no token", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no continuation token");
    }

    @Test
    void endpointsAreFoundByWhatTheyAreLike() {
        create(endpoint("fine", NOW), endpoint("failing", NOW), endpoint("running", NOW));
        create(with(
                endpoint("paused", NOW.plusSeconds(50)), Steering.NONE.pausedUntil(Optional.of(NOW.plusSeconds(50)))));
        create(with(endpoint("unpaused", NOW), Steering.NONE.pausedUntil(Optional.of(NOW))));
        create(archived(endpoint("archived", NOW)));
        List<Claim> claims = claim(10);
        for (Claim claim : claims) {
            switch (claim.endpoint().definition().name()) {
                case "failing" -> store().record(List.of(failure(claim)));
                case "running" -> assertThat(claim.lease().attempt()).isEqualTo(1);
                default -> store().record(List.of(success(claim)));
            }
        }
        assertThat(found(State.FAILING)).containsExactly("failing");
        assertThat(found(State.RUNNING)).containsExactly("running");
        assertThat(found(State.PAUSED)).containsExactly("paused");
        assertThat(found(State.ARCHIVED)).containsExactly("archived");
        now(NOW.plusSeconds(50));
        assertThat(found(State.PAUSED)).isEmpty();
        assertThat(found(State.RUNNING)).isEmpty();
    }

    private List<String> found(State state) {
        return store().endpoints(new EndpointFilter(Optional.of(state)), "", 10).items().stream()
                .map(each -> each.endpoint().definition().name())
                .toList();
    }

    @Test
    void whoeverWantsToKnowIsToldOfChanges() throws InterruptedException {
        Semaphore calls = new Semaphore(0);
        try (Journal.Subscription subscription = store().onChange(calls::release)) {
            assertThat(subscription).isNotNull();
            create(endpoint("one", NOW));
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
