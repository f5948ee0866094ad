package dev.escapement.server.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.governor.ledger.ExecutionRef;
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
class LeaseTest {

    private static final Duration TERM = Duration.ofSeconds(15);

    private Instant wall = Instant.parse("2026-01-01T00:00:00Z");
    private long steady = 1_000;
    private Supplier<Duration> answer = () -> TERM;
    private final AtomicInteger retired = new AtomicInteger();
    private final List<String> lapsed = new ArrayList<>();
    private final List<Work> queued = new ArrayList<>();

    private final Fleet fleet = new Fleet() {
        @Override
        public Duration renew() {
            return answer.get();
        }

        @Override
        public List<String> lapsed() {
            return List.copyOf(lapsed);
        }

        @Override
        public Optional<List<ExecutionRef>> takeOver(String server) {
            return lapsed.remove(server)
                    ? Optional.of(List.of(new ExecutionRef("default", "of-" + server, "uid-" + server)))
                    : Optional.empty();
        }

        @Override
        public void unfinished(Consumer<ExecutionRef> each) {
            each.accept(new ExecutionRef("default", "mine", "uid-mine"));
        }
    };

    private final Lease lease = new Lease(fleet, () -> wall, () -> steady, retired::incrementAndGet);

    private void pass(Duration onTheWall, Duration onTheSteadyClock) {
        wall = wall.plus(onTheWall);
        steady += onTheSteadyClock.toNanos();
    }

    @Test
    void itIsHeldForItsTermAndNotLonger() {
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        pass(TERM.minusMillis(1), TERM.minusMillis(1));
        assertThat(lease.isHeld()).isTrue();
        pass(Duration.ofMillis(1), Duration.ofMillis(1));
        assertThat(lease.isHeld()).isFalse();
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void whatIsLeftOfItCanBeAskedFor() {
        Duration half = TERM.dividedBy(2);
        assertThat(lease.isHeldFor(half)).describedAs("not held yet").isFalse();
        lease.renew();
        assertThat(lease.isHeldFor(half)).isTrue();
        pass(half.minusMillis(1), half.minusMillis(1));
        assertThat(lease.isHeldFor(half)).isTrue();
        pass(Duration.ofMillis(1), Duration.ofMillis(1));
        assertThat(lease.isHeldFor(half)).isFalse();
        assertThat(lease.isHeld()).describedAs("held, but not for so long").isTrue();
    }

    @Test
    void aSuspendedMachineAndAClockThatIsSetBackHoldNothing() {
        lease.renew();
        pass(TERM, Duration.ZERO);
        assertThat(lease.isHeld()).describedAs("the steady clock stood still").isFalse();
        lease.renew();
        pass(Duration.ofDays(-1), TERM);
        assertThat(lease.isHeld()).describedAs("the other clock was set back").isFalse();
    }

    @Test
    void anAnswerThatTookTooLongHoldsNothing() {
        answer = () -> Duration.ofSeconds(-1);
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aRenewalThatFailsLeavesWhatIsLeftAndIsMadeAgain() {
        lease.renew();
        answer = () -> {
            throw new IllegalStateException("the database is away");
        };
        pass(Duration.ofSeconds(5), Duration.ofSeconds(5));
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        pass(Duration.ofSeconds(10), Duration.ofSeconds(10));
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        answer = () -> TERM;
        lease.renew();
        assertThat(lease.isHeld()).isTrue();
        assertThat(retired).hasValue(0);
    }

    @Test
    void whoeverWasTakenOverFromHoldsNothingAtOnce() {
        lease.renew();
        answer = () -> {
            throw new Fleet.Retired(new IllegalStateException("somebody took over"));
        };
        lease.renew();
        assertThat(lease.isHeld()).isFalse();
        assertThat(retired).hasValue(1);
    }

    @Test
    void onlyWhoHasALeaseTakesOver() {
        lapsed.add("gone");
        Takeover takeover = new Takeover(fleet, lease, queued::add);
        takeover.takeOver();
        assertThat(queued).isEmpty();
        lease.renew();
        takeover.takeOver();
        takeover.takeOver();
        assertThat(queued).extracting(work -> work.execution().name()).containsExactly("of-gone");
        assertThat(takeover.resume()).isEqualTo(1);
        assertThat(queued).extracting(work -> work.execution().name()).containsExactly("of-gone", "mine");
    }
}
