package dev.escapement.endpoints.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.store.Demand;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.Lease;
import dev.escapement.endpoints.store.Samples;
import dev.escapement.endpoints.store.Write;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that stands still while the database answers must not take the old time for the time. */
class LateAnswerTest {

    private static final Duration LATE = Duration.ofMinutes(1);
    private static final long MICROS = 1_700_000_000_000_000L;

    private final AtomicLong stop = new AtomicLong(Long.MAX_VALUE);

    /** A minute passes as soon as the next statement after the stop is under way. */
    private EndpointStore store(Database database) {
        return SqlEndpointStore.on(
                database,
                100,
                String.valueOf(MICROS),
                () -> database.counts().statements() > stop.get() ? LATE.toNanos() : 0);
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void whoClaimsAndHearsOfItLateKnowsThatTheLeaseHasLapsed(DatabaseKind kind) {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = store(database);
            assertThat(store.apply(List.of(new Write.Create(
                            Samples.endpoint("one", "h", store.clock().instant().minusSeconds(1))))))
                    .isTrue();
            stop.set(database.counts().statements());

            Lease lease = store.claim(new Demand("w", "token", 10, 10, Map.of(), Duration.ofSeconds(5)))
                    .get(0)
                    .lease();

            assertThat(store.clock().instant())
                    .isEqualTo(lease.since().plus(LATE))
                    .isAfter(lease.until());
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void whoAsksWhatIsNextAndHearsItLateKnowsThatItIsLate(DatabaseKind kind) {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = store(database);
            stop.set(database.counts().statements());

            assertThat(store.nextDue(Set.of()).now()).isEqualTo(Times.instant(MICROS));
            assertThat(store.clock().instant()).isEqualTo(Times.instant(MICROS).plus(LATE));
        }
    }
}
