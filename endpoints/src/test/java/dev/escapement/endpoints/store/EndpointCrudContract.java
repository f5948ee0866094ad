package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.model.EndpointDefinition;
import dev.escapement.endpoints.model.EndpointOverrides;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.EndpointOverrides.RunNowRequest;
import dev.escapement.endpoints.model.RemediationPolicy;
import dev.escapement.endpoints.model.RemediationPolicy.ClusterRunOptions;
import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.EndpointFilter;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.Target;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
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

/** Contract of reading, listing and changing endpoints. */
public abstract class EndpointCrudContract extends EndpointStoreContract {

    private static final EndpointDefinition FULL_DEFINITION = new EndpointDefinition(
            "rich \u00e4 \uD83D\uDE00",
            "with everything, even NUL \0",
            new CallRequest(
                    "https://user@example.com:8443/%20?q=\u00e4",
                    Method.PATCH,
                    Map.of("B", "2", "A", "1"),
                    "body \0 \uD800",
                    Duration.ofMillis(1_500),
                    Optional.empty()),
            CronExpression.of("*/5 * * * *", ZoneId.of("Europe/Berlin")),
            Optional.of(Duration.ofSeconds(30)),
            Optional.of(Duration.ofHours(1)),
            Optional.of(new RemediationPolicy(
                    3,
                    "ns",
                    "heal",
                    Target.parse("node/a"),
                    Map.of("k", "v"),
                    new ClusterRunOptions("registry.example/heal:1", "sha256:0", "job", "healer"))));

    private static final EndpointOverrides OVERRIDES = new EndpointOverrides(
            Optional.of(new EndpointPause(NOW.plusSeconds(5), "ann", "holiday")),
            List.of(
                    new IntervalHint(Duration.ofSeconds(10), NOW, NOW.plusSeconds(100), "ann", "look closer"),
                    new OneShotHint(NOW.plusSeconds(7), NOW, NOW.plusSeconds(100), "bob", "once")),
            Optional.of(new RunNowRequest(NOW, "eve", "now")),
            false);

    private static ScheduledEndpoint fullEndpoint() {
        ScheduledEndpoint plain = newEndpoint("rich", NOW);
        return plain.withChanges(FULL_DEFINITION, OVERRIDES, plain.history(), plain.nextRun());
    }

    @Test
    void readsEndpointAsWritten() {
        create(fullEndpoint());
        StoredEndpoint stored = getStored("rich");
        assertThat(stored.endpoint()).isEqualTo(fullEndpoint());
        assertThat(stored.lease()).isEmpty();
        assertThat(store().findByName(FULL_DEFINITION.name())).contains(stored);
        assertThat(store().findByName(List.of("other", FULL_DEFINITION.name())))
                .containsExactlyEntriesOf(Map.of(FULL_DEFINITION.name(), stored));
        assertThat(store().findByName("other")).isEmpty();
        assertThat(store().get("id \0 of nobody")).isEmpty();
    }

    @Test
    void keepsSigningKey() {
        ScheduledEndpoint plain = newEndpoint("signed", NOW);
        EndpointDefinition old = plain.definition();
        CallRequest call = old.call();
        Optional<SecretText> key = Optional.of(SecretText.of("whsec_c2VjcmV0"));
        EndpointDefinition signed = new EndpointDefinition(
                old.name(),
                old.description(),
                new CallRequest(call.url(), call.method(), call.headers(), call.body(), call.timeout(), key),
                old.baseline(),
                old.minInterval(),
                old.maxInterval(),
                old.remediation());
        create(plain.withChanges(signed, plain.overrides(), plain.history(), plain.nextRun()));
        assertThat(claimOne().endpoint().definition().call().signingKey().map(SecretText::reveal))
                .contains("whsec_c2VjcmV0");
    }

    @Test
    void keepsOverridesAfterRun() {
        create(fullEndpoint());
        EndpointClaim claim = claimOne();
        assertThat(claim.endpoint()).isEqualTo(fullEndpoint());
        store().record(List.of(successOf(claim)));
        assertThat(getStored("rich").endpoint().overrides()).isEqualTo(OVERRIDES);
        assertThat(getStored("rich").endpoint().definition()).isEqualTo(FULL_DEFINITION);
    }

    @Test
    void nameIsTakenUntilArchived() {
        ScheduledEndpoint first = newEndpoint("one", NOW);
        ScheduledEndpoint second = withId(first, "id-second");
        create(first);
        assertThat(store().apply(List.of(new EndpointChange.Create(second)))).isFalse();
        assertThat(store().get("id-second")).isEmpty();
        change("one", EndpointStoreContract::asArchived);
        assertThat(store().findByName("one")).isEmpty();
        create(second);
        assertThat(store().findByName("one").orElseThrow().endpoint()).isEqualTo(second);
        assertThat(getStored("one").endpoint().overrides().archived()).isTrue();
    }

    private static ScheduledEndpoint withId(ScheduledEndpoint endpoint, String id) {
        return new ScheduledEndpoint(
                id,
                endpoint.createdAt(),
                endpoint.definition(),
                endpoint.overrides(),
                endpoint.history(),
                endpoint.nextRunNumber(),
                endpoint.nextRun(),
                endpoint.lastRemediation());
    }

    @Test
    void refusesRenameToTakenName() {
        create(newEndpoint("one", NOW), newEndpoint("two", NOW));
        StoredEndpoint seen = getStored("two");
        ScheduledEndpoint renamed = withId(newEndpoint("one", NOW), "id-two");
        assertThat(store().apply(List.of(new EndpointChange.Update(seen, renamed))))
                .isFalse();
        assertThat(getStored("two")).isEqualTo(seen);
    }

    @Test
    void appliesChangesAllOrNone() {
        create(newEndpoint("b", NOW), newEndpoint("c", NOW));
        StoredEndpoint b = getStored("b");
        StoredEndpoint c = getStored("c");
        ScheduledEndpoint next = withChange(b.endpoint(), plannedAt(NOW.plusSeconds(9)));
        List<EndpointChange> good =
                List.of(new EndpointChange.Create(newEndpoint("a", NOW)), new EndpointChange.Update(b, next));
        List<EndpointChange> bad = new ArrayList<>(good);
        bad.add(new EndpointChange.Create(withId(newEndpoint("c", NOW), "id-other")));
        assertThat(store().apply(bad)).isFalse();
        assertThat(store().get("id-a")).isEmpty();
        assertThat(getStored("b")).isEqualTo(b);
        assertThat(store().apply(good)).isTrue();
        assertThat(getStored("b").endpoint()).isEqualTo(next);
        assertThat(store().get("id-a")).isPresent();
        assertThat(getStored("c")).isEqualTo(c);
        // The endpoint was changed since it was read.
        assertThat(store().apply(List.of(
                        new EndpointChange.Update(c, c.endpoint()), new EndpointChange.Update(b, next))))
                .isFalse();
        assertThat(getStored("c")).isEqualTo(c);
    }

    @Test
    void refusesUpdateOfStaleVersion() {
        create(newEndpoint("one", NOW));
        StoredEndpoint before = getStored("one");
        EndpointClaim claim = claimOne();
        assertThat(store().apply(List.of(new EndpointChange.Update(before, before.endpoint()))))
                .isFalse();
        StoredEndpoint running = getStored("one");
        store().record(List.of(successOf(claim)));
        assertThat(store().apply(List.of(new EndpointChange.Update(running, running.endpoint()))))
                .isFalse();
        change("one", endpoint -> withChange(endpoint, plannedAt(NOW)));
        assertThat(namesOf(claim(1))).containsExactly("one");
    }

    @Test
    void updateKeepsLastRemediation() {
        create(newEndpoint("one", NOW));
        ScheduledEndpoint seen = getStored("one").endpoint();
        var remedy = new dev.escapement.endpoints.model.RemediationAttempt(
                1,
                NOW,
                dev.escapement.endpoints.model.RemediationAttempt.State.REFUSED,
                Optional.empty(),
                Optional.empty(),
                "why",
                Optional.empty());
        store().recordRemediation("id-one", remedy);
        change("one", endpoint -> withChange(endpoint, OVERRIDES));
        assertThat(getStored("one").endpoint().lastRemediation()).contains(remedy);
        assertThat(seen.lastRemediation()).isEmpty();
    }

    @Test
    void listsAllEndpointsInOrderAcrossPages() {
        List<String> names = List.of("A", "Z", "a", "b", "c", "d", "e", "\u00e4", "\uFFEE", "\uD83D\uDE00");
        names.forEach(name -> create(newEndpoint(name, NOW)));
        for (int limit = 1; limit <= 11; limit++) {
            List<String> found = new ArrayList<>();
            String token = "";
            do {
                Page<StoredEndpoint> page = store().listEndpoints(EndpointFilter.ALL, token, limit);
                page.items()
                        .forEach(each -> found.add(each.endpoint().definition().name()));
                token = page.nextToken().orElse("");
                assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            } while (!token.isEmpty());
            assertThat(found).containsExactlyElementsOf(names);
        }
        assertThatThrownBy(() -> store().listEndpoints(EndpointFilter.ALL, "no token", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("continuation token");
    }

    @Test
    void filtersByState() {
        create(newEndpoint("fine", NOW), newEndpoint("failing", NOW), newEndpoint("running", NOW));
        create(withChange(
                newEndpoint("paused", NOW.plusSeconds(50)),
                EndpointOverrides.NONE.withPausedUntil(Optional.of(NOW.plusSeconds(50)))));
        create(withChange(newEndpoint("unpaused", NOW), EndpointOverrides.NONE.withPausedUntil(Optional.of(NOW))));
        create(asArchived(newEndpoint("archived", NOW)));
        List<EndpointClaim> claims = claim(10);
        for (EndpointClaim claim : claims) {
            switch (claim.endpoint().definition().name()) {
                case "failing" -> store().record(List.of(failureOf(claim)));
                case "running" -> assertThat(claim.lease().attempt()).isEqualTo(1);
                default -> store().record(List.of(successOf(claim)));
            }
        }
        assertThat(namesInState(EndpointFilter.FAILING)).containsExactly("failing");
        assertThat(namesInState(EndpointFilter.RUNNING)).containsExactly("running");
        assertThat(namesInState(EndpointFilter.PAUSED)).containsExactly("paused");
        assertThat(namesInState(EndpointFilter.ARCHIVED)).containsExactly("archived");
        setNow(NOW.plusSeconds(50));
        assertThat(namesInState(EndpointFilter.PAUSED)).isEmpty();
        assertThat(namesInState(EndpointFilter.RUNNING)).isEmpty();
    }

    private List<String> namesInState(EndpointFilter state) {
        return store().listEndpoints(state, "", 10).items().stream()
                .map(each -> each.endpoint().definition().name())
                .toList();
    }

    @Test
    void notifiesSubscribersOfChanges() throws InterruptedException {
        Semaphore calls = new Semaphore(0);
        try (Journal.Subscription subscription = store().onChange(calls::release)) {
            assertThat(subscription).isNotNull();
            create(newEndpoint("one", NOW));
            assertThat(calls.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
