package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
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

/** A scheduler loop in virtual time, with its service, store and receiver of calls. */
final class SchedulerLoopFixture {

    final VirtualClock clock = new VirtualClock();
    final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 10_000);
    final EndpointPlanner planner = new EndpointPlanner(new RunPlanner(0));
    final AtomicInteger idSequence = new AtomicInteger();
    final EndpointService service = new EndpointService(store, planner, () -> "e" + idSequence.incrementAndGet());
    Function<CallRequest, Behaviour> behaviour = call -> SimulatedReceiver.succeedAfter(Duration.ofMillis(20));
    final SimulatedReceiver receiver = new SimulatedReceiver(clock, call -> behaviour.apply(call));
    private final EndpointStore faultyStore;
    private final EndpointWorkerSettings settings;
    private final EndpointWorkerListener listener;
    SchedulerLoop loop;

    /** Creates a worker with a concurrency of 100. */
    SchedulerLoopFixture() {
        this(100, 100);
    }

    SchedulerLoopFixture(int concurrency, int perHost) {
        this(concurrency, perHost, EndpointWorkerListener.NOOP, new FaultyEndpointStore.Hook() {});
    }

    /** @param faults injected into the worker's store; the service has none */
    SchedulerLoopFixture(
            int concurrency, int perHost, EndpointWorkerListener listener, FaultyEndpointStore.Hook faults) {
        this.faultyStore = FaultyEndpointStore.wrap(store, faults);
        this.settings =
                new EndpointWorkerSettings("w", concurrency, perHost, Duration.ofSeconds(10), Duration.ofMinutes(1));
        this.listener = listener;
        this.loop = newLoop();
        store.onChange(() -> loop.pollSoon());
    }

    private SchedulerLoop newLoop() {
        return new SchedulerLoop(
                faultyStore, receiver, planner, settings, listener, () -> "t" + idSequence.incrementAndGet(), () -> {});
    }

    /** Replaces the worker by a new one. */
    void restartWorker() {
        loop = newLoop();
    }

    /** Runs iterations until then, as the worker's thread would. */
    void runUntil(Instant end) {
        while (true) {
            receiver.finishDueCalls();
            Instant next = loop.runOnce();
            Instant callEnd = receiver.nextEndAt().orElse(Instant.MAX);
            Instant earliest = next.isBefore(callEnd) ? next : callEnd;
            if (earliest.isAfter(end)) {
                clock.moveTo(end);
                return;
            }
            clock.moveTo(earliest);
        }
    }

    void runFor(Duration time) {
        runUntil(clock.instant().plus(time));
    }

    /** Returns the runs in the order in which they ended. */
    List<FinishedRun> runsOf(String name) {
        String id = store.findByName(name).orElseThrow().endpoint().id();
        List<FinishedRun> runs =
                new ArrayList<>(store.listRuns(new RunFilter(Optional.of(id), Optional.empty()), "", 10_000)
                        .items());
        Collections.reverse(runs);
        return runs;
    }
}
