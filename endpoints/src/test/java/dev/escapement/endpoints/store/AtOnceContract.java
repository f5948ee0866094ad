package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.endpoints.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reading and changing as one. */
public abstract class AtOnceContract extends EndpointStoreContract {

    private static List<Write> postponed(Map<String, Stored> seen) {
        return seen.values().stream()
                .<Write>map(each -> new Write.Change(each, with(each.endpoint(), planned(NOW.plusSeconds(9)))))
                .toList();
    }

    private static Endpoint renamed(Endpoint endpoint, String name) {
        return endpoint.changed(
                endpoint(name, NOW).definition(), endpoint.steering(), endpoint.history(), endpoint.planned());
    }

    @Test
    void whatIsReadIsChangedAndWhatIsNotThereIsCreated() {
        create(endpoint("a", NOW), endpoint("b", NOW), endpoint("other", NOW), archived(endpoint("old", NOW)));
        Stored other = stored("other");
        Stored a = stored("a");
        List<Map<String, Stored>> read = new ArrayList<>();
        assertThat(store().apply(List.of("b", "a", "new", "old"), seen -> {
                    read.add(seen);
                    List<Write> writes = new ArrayList<>(postponed(seen));
                    writes.add(new Write.Create(endpoint("new", NOW)));
                    return writes;
                }))
                .isTrue();
        assertThat(read.get(0)).containsOnlyKeys("a", "b").containsEntry("a", a);
        assertThat(stored("a").endpoint().planned()).isEqualTo(planned(NOW.plusSeconds(9)));
        assertThat(stored("b").endpoint().planned()).isEqualTo(planned(NOW.plusSeconds(9)));
        assertThat(stored("b").revision()).isEqualTo(2);
        assertThat(store().named("new")).isPresent();
        assertThat(stored("other")).isEqualTo(other);
    }

    @Test
    void aRunGoesOnAndItsResultIsPlannedAnew() {
        create(endpoint("one", NOW));
        Claim claim = claimOne();
        assertThat(store().apply(List.of("one"), AtOnceContract::postponed)).isTrue();
        assertThat(stored("one").lease()).contains(claim.lease());
        assertThat(store().record(List.of(success(claim)))).containsExactly(Verdict.CHANGED);
    }

    @Test
    void whoSeesReasonToThrowChangesNothing() {
        create(endpoint("one", NOW));
        Stored before = stored("one");
        IllegalStateException reason = new IllegalStateException("not this one");
        assertThatThrownBy(() -> store().apply(List.of("one"), seen -> {
                    throw reason;
                }))
                .isSameAs(reason);
        assertThat(stored("one")).isEqualTo(before);
        assertThat(store().apply(List.of("one"), AtOnceContract::postponed)).isTrue();
    }

    @Test
    void onlyWhatWasReadIsChanged() {
        create(endpoint("one", NOW), endpoint("two", NOW));
        Stored two = stored("two");
        assertThatThrownBy(() -> store().apply(List.of("one"), seen -> List.of(new Write.Change(two, two.endpoint()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was not read here");
        assertThat(stored("two")).isEqualTo(two);
    }

    @Test
    void aNameThatIsTakenUndoesAllOfIt() {
        create(endpoint("one", NOW), endpoint("two", NOW));
        Stored one = stored("one");
        Stored two = stored("two");
        assertThat(store().apply(Set.of("one"), seen -> {
                    List<Write> writes = new ArrayList<>(postponed(seen));
                    writes.add(new Write.Create(endpoint("two", NOW)));
                    return writes;
                }))
                .isFalse();
        assertThat(store().apply(Set.of("one"), seen -> List.of(new Write.Change(one, renamed(one.endpoint(), "two")))))
                .isFalse();
        assertThat(stored("one")).isEqualTo(one);
        assertThat(stored("two")).isEqualTo(two);
    }

    @Test
    void nobodyIsToldWhenThereIsNothingToChange() throws InterruptedException {
        create(endpoint("one", NOW));
        Semaphore calls = new Semaphore(0);
        AtomicBoolean listening = new AtomicBoolean();
        try (var subscription = store().onChange(() -> calls.release(listening.get() ? 1 : 0))) {
            assertThat(subscription).isNotNull();
            assertThat(store().apply(List.of("one", "nobody"), seen -> List.of()))
                    .isTrue();
            assertThat(store().apply(List.of(), seen -> List.of())).isTrue();
            listening.set(true);
            assertThat(store().apply(List.of("one"), AtOnceContract::postponed)).isTrue();
            assertThat(calls.tryAcquire(60, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(stored("one").revision()).isEqualTo(2);
    }

    @Test
    void manyAreChangedAtOnce() {
        List<String> names = IntStream.range(0, 500).mapToObj(i -> "e" + i).toList();
        assertThat(store().apply(
                                names,
                                seen -> names.stream()
                                        .<Write>map(name -> new Write.Create(endpoint(name, NOW)))
                                        .toList()))
                .isTrue();
        assertThat(store().apply(names, AtOnceContract::postponed)).isTrue();
        assertThat(store().named(names).values()).hasSize(500).allMatch(each -> each.revision() == 2);
    }
}
