package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.Run;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.SimulatedReceiver.Behaviour;
import dev.escapement.governor.plan.RunPlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A worker's turns and all they touch, under a virtual clock: what people ask, a store, the other side of calls. */
final class LoopWorld {

    final VirtualClock clock = new VirtualClock();
    final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 10_000);
    final Planning exact = new Planning(new RunPlanner(0));
    final AtomicInteger numbers = new AtomicInteger();
    final Endpoints endpoints = new Endpoints(store, exact, () -> "e" + numbers.incrementAndGet());
    Function<Call, Behaviour> behaviour = call -> SimulatedReceiver.well(Duration.ofMillis(20));
    final SimulatedReceiver receiver = new SimulatedReceiver(clock, call -> behaviour.apply(call));
    private final EndpointStore faulty;
    private final WorkerSettings settings;
    private final WorkerListener listener;
    Turns turns;

    /** A worker with room for a hundred calls. */
    LoopWorld() {
        this(100, 100);
    }

    LoopWorld(int concurrency, int perHost) {
        this(concurrency, perHost, WorkerListener.NOBODY, new FaultyEndpointStore.Hook() {});
    }

    /** @param faults around what the worker asks of the store; people are spared */
    LoopWorld(int concurrency, int perHost, WorkerListener listener, FaultyEndpointStore.Hook faults) {
        this.faulty = FaultyEndpointStore.around(store, faults);
        this.settings = new WorkerSettings("w", concurrency, perHost, Duration.ofSeconds(10), Duration.ofMinutes(1));
        this.listener = listener;
        this.turns = worker();
        store.onChange(() -> turns.lookSoon());
    }

    private Turns worker() {
        return new Turns(faulty, receiver, exact, settings, listener, () -> "t" + numbers.incrementAndGet(), () -> {});
    }

    /** One more worker, after the one before it has ended. */
    void startWorker() {
        turns = worker();
    }

    /** Lives until then, as the worker's thread would. */
    void until(Instant end) {
        while (true) {
            receiver.land();
            Instant next = turns.turn();
            Instant landing = receiver.next().orElse(Instant.MAX);
            Instant earliest = next.isBefore(landing) ? next : landing;
            if (earliest.isAfter(end)) {
                clock.moveTo(end);
                return;
            }
            clock.moveTo(earliest);
        }
    }

    void live(Duration time) {
        until(clock.instant().plus(time));
    }

    /** The first that ended first. */
    List<Run> runs(String name) {
        String id = store.named(name).orElseThrow().endpoint().id();
        List<Run> runs = new ArrayList<>(store.runs(new RunFilter(Optional.of(id), Optional.empty()), "", 10_000)
                .items());
        Collections.reverse(runs);
        return runs;
    }
}
