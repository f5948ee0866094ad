package dev.escapement.endpoints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.model.StoredEndpoint.EndpointLease;
import dev.escapement.endpoints.store.EndpointStore.ClaimRequest;
import dev.escapement.endpoints.store.EndpointStore.EndpointChange;
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

/** Tests that a process that stalls while it waits for the database does not use an outdated time. */
class DelayedDatabaseAnswerTest {

    private static final Duration DELAY = Duration.ofMinutes(1);
    private static final long MICROS = 1_700_000_000_000_000L;

    private final AtomicLong delayAfterStatement = new AtomicLong(Long.MAX_VALUE);

    /** Lets a minute pass during the next statement. */
    private EndpointStore openStore(Database database) {
        return new SqlEndpointStore(
                database,
                100,
                String.valueOf(MICROS),
                () -> database.counts().statements() > delayAfterStatement.get() ? DELAY.toNanos() : 0);
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void delayedClaimShowsLeaseAsExpired(DatabaseKind kind) {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = openStore(database);
            assertThat(store.apply(List.of(new EndpointChange.Create(StoreSamples.endpoint(
                            "one", "h", store.clock().instant().minusSeconds(1))))))
                    .isTrue();
            delayAfterStatement.set(database.counts().statements());

            EndpointLease lease = store.claim(new ClaimRequest("w", "token", 10, 10, Map.of(), Duration.ofSeconds(5)))
                    .get(0)
                    .lease();

            assertThat(store.clock().instant())
                    .isEqualTo(lease.claimedAt().plus(DELAY))
                    .isAfter(lease.expiresAt());
        }
    }

    @ParameterizedTest
    @EnumSource(DatabaseKind.class)
    void delayedNextDueAdvancesClock(DatabaseKind kind) {
        try (TestDatabase world = kind.create()) {
            Database database = world.open();
            EndpointStore store = openStore(database);
            delayAfterStatement.set(database.counts().statements());

            assertThat(store.nextDue(Set.of()).storeTime()).isEqualTo(TimeColumns.toInstant(MICROS));
            assertThat(store.clock().instant())
                    .isEqualTo(TimeColumns.toInstant(MICROS).plus(DELAY));
        }
    }
}
