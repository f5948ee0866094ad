package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.model.ScheduledEndpoint;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
import dev.escapement.endpoints.store.EndpointStore.RecordOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract of reading and changing endpoints in one transaction. */
public abstract class ReadModifyWriteContract extends EndpointStoreContract {

    private static List<EndpointChange> postponeAll(Map<String, StoredEndpoint> seen) {
        return seen.values().stream()
                .<EndpointChange>map(each ->
                        new EndpointChange.Update(each, withChange(each.endpoint(), plannedAt(NOW.plusSeconds(9)))))
                .toList();
    }

    private static ScheduledEndpoint withName(ScheduledEndpoint endpoint, String name) {
        return endpoint.withChanges(
                newEndpoint(name, NOW).definition(), endpoint.overrides(), endpoint.history(), endpoint.nextRun());
    }

    @Test
    void updatesExistingAndCreatesMissing() {
        create(
                newEndpoint("a", NOW),
                newEndpoint("b", NOW),
                newEndpoint("other", NOW),
                asArchived(newEndpoint("old", NOW)));
        StoredEndpoint other = getStored("other");
        StoredEndpoint a = getStored("a");
        List<Map<String, StoredEndpoint>> read = new ArrayList<>();
        assertThat(store().apply(List.of("b", "a", "new", "old"), seen -> {
                    read.add(seen);
                    List<EndpointChange> writes = new ArrayList<>(postponeAll(seen));
                    writes.add(new EndpointChange.Create(newEndpoint("new", NOW)));
                    return writes;
                }))
                .isTrue();
        assertThat(read.get(0)).containsOnlyKeys("a", "b").containsEntry("a", a);
        assertThat(getStored("a").endpoint().nextRun()).isEqualTo(plannedAt(NOW.plusSeconds(9)));
        assertThat(getStored("b").endpoint().nextRun()).isEqualTo(plannedAt(NOW.plusSeconds(9)));
        assertThat(getStored("b").revision()).isEqualTo(2);
        assertThat(store().findByName("new")).isPresent();
        assertThat(getStored("other")).isEqualTo(other);
    }

    @Test
    void updateDuringRunMakesResultReplan() {
        create(newEndpoint("one", NOW));
        EndpointClaim claim = claimOne();
        assertThat(store().apply(List.of("one"), ReadModifyWriteContract::postponeAll))
                .isTrue();
        assertThat(getStored("one").lease()).contains(claim.lease());
        assertThat(store().record(List.of(successOf(claim)))).containsExactly(RecordOutcome.ENDPOINT_CHANGED);
    }

    @Test
    void exceptionInFunctionChangesNothing() {
        create(newEndpoint("one", NOW));
        StoredEndpoint before = getStored("one");
        IllegalStateException reason = new IllegalStateException("not this one");
        assertThatThrownBy(() -> store().apply(List.of("one"), seen -> {
                    throw reason;
                }))
                .isSameAs(reason);
        assertThat(getStored("one")).isEqualTo(before);
        assertThat(store().apply(List.of("one"), ReadModifyWriteContract::postponeAll))
                .isTrue();
    }

    @Test
    void refusesUpdateOfEndpointThatWasNotRead() {
        create(newEndpoint("one", NOW), newEndpoint("two", NOW));
        StoredEndpoint two = getStored("two");
        assertThatThrownBy(() ->
                        store().apply(List.of("one"), seen -> List.of(new EndpointChange.Update(two, two.endpoint()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was not read in this transaction");
        assertThat(getStored("two")).isEqualTo(two);
    }

    @Test
    void takenNameRollsBackAllChanges() {
        create(newEndpoint("one", NOW), newEndpoint("two", NOW));
        StoredEndpoint one = getStored("one");
        StoredEndpoint two = getStored("two");
        assertThat(store().apply(Set.of("one"), seen -> {
                    List<EndpointChange> writes = new ArrayList<>(postponeAll(seen));
                    writes.add(new EndpointChange.Create(newEndpoint("two", NOW)));
                    return writes;
                }))
                .isFalse();
        assertThat(store().apply(
                                Set.of("one"),
                                seen -> List.of(new EndpointChange.Update(one, withName(one.endpoint(), "two")))))
                .isFalse();
        assertThat(getStored("one")).isEqualTo(one);
        assertThat(getStored("two")).isEqualTo(two);
    }

    @Test
    void doesNotNotifyWithoutChanges() throws InterruptedException {
        create(newEndpoint("one", NOW));
        Semaphore calls = new Semaphore(0);
        AtomicBoolean listening = new AtomicBoolean();
        try (var subscription = store().onChange(() -> calls.release(listening.get() ? 1 : 0))) {
            assertThat(subscription).isNotNull();
            assertThat(store().apply(List.of("one", "nobody"), seen -> List.of()))
                    .isTrue();
            assertThat(store().apply(List.of(), seen -> List.of())).isTrue();
            listening.set(true);
            assertThat(store().apply(List.of("one"), ReadModifyWriteContract::postponeAll))
                    .isTrue();
            assertThat(calls.tryAcquire(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(getStored("one").revision()).isEqualTo(2);
    }

    @Test
    void updatesManyAtOnce() {
        List<String> names = IntStream.range(0, 500).mapToObj(i -> "e" + i).toList();
        assertThat(store().apply(
                                names,
                                seen -> names.stream()
                                        .<EndpointChange>map(name -> new EndpointChange.Create(newEndpoint(name, NOW)))
                                        .toList()))
                .isTrue();
        assertThat(store().apply(names, ReadModifyWriteContract::postponeAll)).isTrue();
        assertThat(store().findByName(names).values()).hasSize(500).allMatch(each -> each.revision() == 2);
    }
}
