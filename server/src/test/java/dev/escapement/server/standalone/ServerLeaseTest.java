package dev.escapement.server.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.standalone.ServerLease.LeaseLoss;
import dev.escapement.storage.ServerRegistry.LeaseRenewal;
import dev.escapement.storage.problem.StorageException.DatabaseRestoredException;
import dev.escapement.storage.problem.StorageException.ServerLeaseLostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ServerLeaseTest {

    private static final Duration TERM = Duration.ofSeconds(16);
    private static final Duration MARGIN = Duration.ofSeconds(6);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant wallClock = START;
    private long ticks = 1_000;
    private Duration clockDifference = Duration.ZERO;
    private Supplier<Duration> renewal = () -> TERM;
    private final List<LeaseLoss> losses = new ArrayList<>();
    private final ServerLease lease = newLease(false);

    private ServerLease newLease(boolean exclusive) {
        return new ServerLease(
                exclusive,
                TERM,
                () -> new LeaseRenewal(renewal.get(), wallClock.minus(clockDifference)),
                () -> wallClock,
                () -> ticks,
                losses::add);
    }

    private void advanceClocks(Duration wallTime, Duration monotonicTime) {
        wallClock = wallClock.plus(wallTime);
        ticks += monotonicTime.toNanos();
    }

    private void advanceClocks(Duration time) {
        advanceClocks(time, time);
    }

    @Test
    void isHeldUntilTermEnds() {
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(TERM.minusMillis(1));
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void isRenewedFourTimesPerTerm() {
        assertThat(lease.renewalInterval()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void isNotHeldAfterSuspendOrClockSetBack() {
        lease.renew();
        advanceClocks(TERM, Duration.ZERO);
        assertThat(lease.isHeld()).describedAs("the monotonic clock stopped").isFalse();
        lease.renew();
        advanceClocks(Duration.ofDays(-1), TERM);
        assertThat(lease.isHeld()).describedAs("the wall clock was set back").isFalse();
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
            throw new IllegalStateException("the database is unavailable");
        };
        advanceClocks(Duration.ofSeconds(6));
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        advanceClocks(Duration.ofSeconds(10));
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        renewal = () -> TERM;
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void isNotHeldAfterTakeover() {
        lease.renew();
        renewal = () -> {
            throw new ServerLeaseLostException("another server took over");
        };
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).containsExactly(LeaseLoss.TAKEN_OVER);
    }

    @Test
    void reportsRestoredDatabaseAndStartsNothing() {
        lease.renew();
        renewal = () -> {
            throw new DatabaseRestoredException("the database is older");
        };
        lease.renew();
        assertThat(lease.mayStart()).isFalse();
        assertThat(losses).containsExactly(LeaseLoss.DATABASE_RESTORED);
    }

    @Test
    void startsNothingForOneTermAfterRestore() {
        lease.renew();
        lease.delayStarts();
        assertThat(lease.mayStart()).isFalse();
        assertThat(lease.startProblem().orElseThrow()).contains("restored");
        advanceClocks(TERM.minusMillis(1));
        lease.renew();
        assertThat(lease.mayStart()).isFalse();
        advanceClocks(Duration.ofMillis(1));
        assertThat(lease.mayStart()).isTrue();
        assertThat(lease.startProblem()).isEmpty();
    }

    @Test
    void startsNothingWhileClockDiffersFromDatabase() {
        for (Duration difference : List.of(Duration.ofMinutes(2), Duration.ofMinutes(-2))) {
            clockDifference = difference;
            lease.renew();
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.mayStart()).isFalse();
            assertThat(lease.startDeadline().orElseThrow()).isBefore(wallClock);
            assertThat(lease.startProblem().orElseThrow()).contains("clock");
            clockDifference = Duration.ofSeconds(30);
            lease.renew();
            assertThat(lease.mayStart()).isTrue();
        }
    }

    @Test
    void startDeadlineIsLeaseExpiry() {
        lease.renew();
        assertThat(lease.mayStart()).isTrue();
        assertThat(lease.startDeadline()).contains(START.plus(TERM));
    }

    @Test
    void refusesStartWhenTooLittleOfLeaseRemains() {
        assertThat(lease.mayStart()).describedAs("not held yet").isFalse();
        lease.renew();
        advanceClocks(TERM.minus(MARGIN).minusMillis(1));
        assertThat(lease.mayStart()).isTrue();
        advanceClocks(Duration.ofMillis(1));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.mayStart()).isFalse();
        assertThat(lease.startDeadline().orElseThrow()).isBefore(wallClock);
        lease.renew();
        assertThat(lease.mayStart()).isTrue();
    }

    @Test
    void needsNoLeaseWithOwnDatabase() {
        ServerLease exclusive = newLease(true);
        assertThat(exclusive.isHeld()).isFalse();
        assertThat(exclusive.mayStart()).isTrue();
        assertThat(exclusive.startDeadline()).isEmpty();
    }
}
