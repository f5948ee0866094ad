package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StartingTest {

    private static final Duration TERM = Duration.ofSeconds(12);
    private static final Duration MARGIN = Duration.ofSeconds(4);
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = BEGIN;
    private final Lease lease = new Lease(
            new Fleet() {
                @Override
                public Duration renew() {
                    return TERM;
                }

                @Override
                public List<String> lapsed() {
                    return List.of();
                }

                @Override
                public Optional<List<ExecutionRef>> takeOver(String server) {
                    return Optional.empty();
                }

                @Override
                public void unfinished(Consumer<ExecutionRef> each) {}
            },
            () -> now,
            () -> Duration.between(BEGIN, now).toNanos(),
            () -> {});

    @Test
    void whatIsStartedHasToBeginBeforeTheLeaseIsOver() {
        lease.renew();
        Starting starting = new Starting(false, lease, MARGIN);
        assertThat(starting.isAllowed()).isTrue();
        assertThat(starting.until()).contains(BEGIN.plus(TERM));
    }

    @Test
    void underTheRestOfALeaseNothingIsStartedByAnybody() {
        lease.renew();
        Starting starting = new Starting(false, lease, MARGIN);
        now = BEGIN.plus(TERM).minus(MARGIN);
        assertThat(lease.isHeld()).describedAs("nobody may take over yet").isTrue();
        assertThat(starting.isAllowed()).isFalse();
        assertThat(starting.until().orElseThrow()).isBefore(now);
        lease.renew();
        assertThat(starting.isAllowed()).isTrue();
    }

    @Test
    void whoIsAloneNeedsNoLease() {
        Starting starting = new Starting(true, lease, MARGIN);
        assertThat(lease.isHeld()).isFalse();
        assertThat(starting.isAllowed()).isTrue();
        assertThat(starting.until()).isEmpty();
    }
}
