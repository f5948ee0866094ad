package dev.escapement.endpoints.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.Endpoint;
import dev.escapement.endpoints.call.Answer.Failure;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.Lease;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.governor.plan.Interval;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold in every life. */
final class Promises {

    /** Jitter is ten percent. */
    private static final double SHORTEST = 0.9;

    private final EndpointStore store;
    private final InstantSource clock;

    /** Who called last under a key. */
    private final Map<String, String> callers = new HashMap<>();

    Promises(EndpointStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** A worker makes a call: it must be its call to make, now. */
    void onCall(String worker, Call call) {
        Instant now = clock.instant();
        String id = call.idempotencyKey().substring(0, call.idempotencyKey().lastIndexOf('-'));
        Stored stored = store.get(id).orElseThrow();
        Endpoint endpoint = stored.endpoint();
        assertThat(call.idempotencyKey())
                .describedAs("the occurrence of a call")
                .isEqualTo(endpoint.occurrence());
        assertThat(stored.lease().map(Lease::worker))
                .describedAs("whose lease it is")
                .contains(worker);
        assertThat(stored.lease().orElseThrow().until())
                .describedAs("end of the lease")
                .isAfter(now);
        assertThat(endpoint.planned().at().orElseThrow())
                .describedAs("the slot of a call")
                .isBeforeOrEqualTo(now);
        assertThat(endpoint.steering().pausedUntil().filter(until -> until.isAfter(now)))
                .describedAs("the pause of what is called")
                .isEmpty();
        callers.put(call.idempotencyKey(), worker);
    }

    /** In the end everything adds up. */
    void atTheEnd(List<String> ids) {
        ids.forEach(this::adds);
        assertThat(store.backlog().waiting())
                .describedAs("what is due and nobody claims")
                .isZero();
    }

    private void adds(String id) {
        Stored stored = store.get(id).orElseThrow();
        List<Run> runs = new ArrayList<>(store.runs(new RunFilter(Optional.of(id), Optional.empty()), "", 100_000)
                .items());
        Collections.reverse(runs);
        assertThat(runs)
                .describedAs("runs of " + id)
                .hasSize((int) stored.endpoint().number() - 1);
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            assertThat(run.number()).describedAs("number of the run").isEqualTo(i + 1L);
            assertThat(run.startedAt()).describedAs("start of run " + run.id()).isAfterOrEqualTo(run.slot());
            if (run.answer().failure().filter(Failure.LOST::equals).isEmpty()) {
                assertThat(callers).describedAs("calls").containsEntry(run.id(), run.worker());
            } else {
                assertThat(run.attempt())
                        .describedAs("attempt of " + run.id() + ", which was given up")
                        .isGreaterThan(1);
            }
            boolean failed = !run.answer().isSuccess();
            assertThat(run.failuresAfter()).isEqualTo(failed ? run.failuresBefore() + 1 : 0);
            if (i > 0) {
                follows(stored.endpoint(), runs.get(i - 1), run);
            }
        }
    }

    private static void follows(Endpoint endpoint, Run before, Run run) {
        assertThat(run.failuresBefore())
                .describedAs("failures before " + run.id())
                .isIn(before.failuresAfter(), 0);
        assertThat(run.slot()).describedAs("slot of " + run.id()).isAfter(before.slot());
        if (run.failuresBefore() > 0 && endpoint.definition().baseline() instanceof Interval interval) {
            assertThat(run.source()).describedAs("source of " + run.id()).isNotEqualTo("BASELINE_INTERVAL");
            if (run.source().equals("BACKOFF")) {
                long factor = 1L << Math.min(5, run.failuresBefore());
                long least = (long) (interval.every().toMillis() * factor * SHORTEST);
                assertThat(Duration.between(before.endedAt(), run.slot()))
                        .describedAs("wait before " + run.id())
                        .isGreaterThanOrEqualTo(Duration.ofMillis(least));
            }
        }
    }
}
