package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Without a lease nothing is started, whichever clock says so. */
class ServerLeaseTest {

    private static final Duration TERM = Duration.ofSeconds(15);

    private Instant wallClock = Instant.parse("2026-01-01T00:00:00Z");
    private long ticks = 1_000;
    private Supplier<Duration> renewal = () -> TERM;
    private final AtomicInteger takeovers = new AtomicInteger();
    private final List<String> expiredServers = new ArrayList<>();
    private final List<WorkItem> queued = new ArrayList<>();

    private final PeerRegistry peers = new PeerRegistry() {
        @Override
        public Duration renew() {
            return renewal.get();
        }

        @Override
        public List<String> expiredServers() {
            return List.copyOf(expiredServers);
        }

        @Override
        public Optional<List<ExecutionRef>> takeOver(String server) {
            return expiredServers.remove(server)
                    ? Optional.of(List.of(new ExecutionRef("default", "of-" + server, "uid-" + server)))
                    : Optional.empty();
        }

        @Override
        public void forEachUnfinished(Consumer<ExecutionRef> each) {
            each.accept(new ExecutionRef("default", "mine", "uid-mine"));
        }
    };

    private final ServerLease lease = new ServerLease(peers, () -> wallClock, () -> ticks, takeovers::incrementAndGet);

    private void advanceClocks(Duration onTheWall, Duration onTheSteadyClock) {
        wallClock = wallClock.plus(onTheWall);
        ticks += onTheSteadyClock.toNanos();
    }

    @Test
    void isHeldUntilTermEnds() {
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(TERM.minusMillis(1), TERM.minusMillis(1));
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(Duration.ofMillis(1), Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void reportsWhetherHeldForGivenTime() {
        Duration half = TERM.dividedBy(2);
        assertThat(lease.isHeldFor(half)).describedAs("not held yet").isFalse();
        lease.renew();
        assertThat(lease.isHeldFor(half)).isTrue();
        advanceClocks(half.minusMillis(1), half.minusMillis(1));
        assertThat(lease.isHeldFor(half)).isTrue();
        advanceClocks(Duration.ofMillis(1), Duration.ofMillis(1));
        assertThat(lease.isHeldFor(half)).isFalse();
        assertThat(lease.isHeld()).describedAs("held, but not for so long").isTrue();
    }

    @Test
    void isNotHeldAfterSuspendOrClockSetBack() {
        lease.renew();
        advanceClocks(TERM, Duration.ZERO);
        assertThat(lease.isHeld()).describedAs("the steady clock stood still").isFalse();
        lease.renew();
        advanceClocks(Duration.ofDays(-1), TERM);
        assertThat(lease.isHeld()).describedAs("the other clock was set back").isFalse();
    }

    @Test
    void isNotHeldAfterSlowRenewal() {
        renewal = () -> Duration.ofSeconds(-1);
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void failedRenewalKeepsRemainingTermAndIsRetried() {
        lease.renew();
        renewal = () -> {
            throw new IllegalStateException("the database is away");
        };
        advanceClocks(Duration.ofSeconds(5), Duration.ofSeconds(5));
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(Duration.ofSeconds(10), Duration.ofSeconds(10));
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        renewal = () -> TERM;
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        assertThat(takeovers).hasValue(0);
    }

    @Test
    void isNotHeldAfterTakeover() {
        lease.renew();
        renewal = () -> {
            throw new PeerRegistry.LeaseTakenOverException(new IllegalStateException("somebody took over"));
        };
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        assertThat(takeovers).hasValue(1);
    }

    @Test
    void takesOverOnlyWhileHoldingLease() {
        expiredServers.add("gone");
        ExecutionTakeover takeover = new ExecutionTakeover(peers, lease, queued::add);
        takeover.takeOverExpiredServers();
        assertThat(queued).isEmpty();
        lease.renew();
        takeover.takeOverExpiredServers();
        takeover.takeOverExpiredServers();
        assertThat(queued).extracting(work -> work.execution().name()).containsExactly("of-gone");
        assertThat(takeover.enqueueUnfinished()).isEqualTo(1);
        assertThat(queued).extracting(work -> work.execution().name()).containsExactly("of-gone", "mine");
    }
}
