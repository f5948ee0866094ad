package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StartPermitTest {

    private static final Duration TERM = Duration.ofSeconds(12);
    private static final Duration MARGIN = Duration.ofSeconds(4);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private final ServerLease lease = new ServerLease(
            new PeerRegistry() {
                @Override
                public Duration renew() {
                    return TERM;
                }

                @Override
                public List<String> expiredServers() {
                    return List.of();
                }

                @Override
                public Optional<List<ExecutionRef>> takeOver(String server) {
                    return Optional.empty();
                }

                @Override
                public void forEachUnfinished(Consumer<ExecutionRef> each) {}
            },
            () -> now,
            () -> Duration.between(START, now).toNanos(),
            () -> {});

    @Test
    void startDeadlineIsLeaseExpiry() {
        lease.renew();
        StartPermit starting = new StartPermit(false, lease, MARGIN);
        assertThat(starting.isAllowed()).isTrue();
        assertThat(starting.startDeadline()).contains(START.plus(TERM));
    }

    @Test
    void refusesStartWhenTooLittleOfLeaseRemains() {
        lease.renew();
        StartPermit starting = new StartPermit(false, lease, MARGIN);
        now = START.plus(TERM).minus(MARGIN);
        assertThat(lease.isHeld()).describedAs("nobody may take over yet").isTrue();
        assertThat(starting.isAllowed()).isFalse();
        assertThat(starting.startDeadline().orElseThrow()).isBefore(now);
        lease.renew();
        assertThat(starting.isAllowed()).isTrue();
    }

    @Test
    void needsNoLeaseWithOwnDatabase() {
        StartPermit starting = new StartPermit(true, lease, MARGIN);
        assertThat(lease.isHeld()).isFalse();
        assertThat(starting.isAllowed()).isTrue();
        assertThat(starting.startDeadline()).isEmpty();
    }
}
