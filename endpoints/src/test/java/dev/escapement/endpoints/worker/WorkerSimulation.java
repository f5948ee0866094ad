package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointOverrides.EndpointPause;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.schedule.EndpointStateException;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerListener;
import dev.escapement.endpoints.worker.EndpointWorker.EndpointWorkerSettings;
import dev.escapement.endpoints.worker.SimulatedReceiver.Behaviour;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.Hint.IntervalHint;
import dev.escapement.governor.plan.Hint.OneShotHint;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.problem.StorageException.StorageUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Several workers on one store in virtual time, driven by one seed: calls fail and hang; workers crash, stop and stall;
 * the store or its responses fail; users change endpoints. After a period without faults the invariants are checked.
 */
final class WorkerSimulation {

    private static final int WORKERS = 3;
    private static final int CONCURRENCY = 4;
    private static final int PER_HOST = 2;
    private static final Duration MARGIN = Duration.ofSeconds(5);
    private static final Duration FAULT_DURATION = Duration.ofMinutes(10);
    private static final Duration RECOVERY_DURATION = Duration.ofMinutes(2);
    private static final String[] HOSTS = {"https://a.example/", "https://b.example/"};

    private final SplittableRandom random;
    private final DisabledSafeguard disabledSafeguard;
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 100_000);
    private final WorkerInvariants invariants = new WorkerInvariants(store, clock);
    private final EndpointPlanner planner = new EndpointPlanner(RunPlanner.withDefaultJitter());
    private final EndpointService service;
    private final List<String> names = new ArrayList<>();
    private final List<String> archivedIds = new ArrayList<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<String> eventLog = new ArrayList<>();
    private boolean faultsEnabled = true;
    private int counter;

    WorkerSimulation(long seed, DisabledSafeguard disabledSafeguard) {
        this.random = new SplittableRandom(seed);
        this.disabledSafeguard = disabledSafeguard;
        this.service = new EndpointService(store, planner, () -> "e" + counter++);
    }

    List<String> eventLog() {
        return eventLog;
    }

    void run() {
        for (int i = 0; i < 6; i++) {
            String name = "n" + i;
            names.add(name);
            create(randomEndpoint(name));
        }
        for (int i = 0; i < WORKERS; i++) {
            workers.add(new SimulatedWorker());
        }
        Instant faultsEnd = clock.instant().plus(FAULT_DURATION);
        while (clock.instant().isBefore(faultsEnd)) {
            step();
            if (random.nextInt(40) == 0) {
                performUserAction();
            }
            if (random.nextInt(60) == 0) {
                killOrStopWorker();
            }
        }
        faultsEnabled = false;
        Instant end = clock.instant().plus(RECOVERY_DURATION);
        while (clock.instant().isBefore(end)) {
            step();
        }
        List<String> ids = new ArrayList<>(archivedIds);
        names.forEach(name -> ids.add(idOf(name)));
        // Endpoints that are due at this very moment are not late.
        workers.forEach(SimulatedWorker::runOnce);
        invariants.checkFinalState(ids);
    }

    private String idOf(String name) {
        return store.findByName(name).orElseThrow().endpoint().id();
    }

    private DesiredEndpoint randomEndpoint(String name) {
        return SampleEndpoints.of(
                name,
                HOSTS[random.nextInt(HOSTS.length)] + name,
                new FixedInterval(Duration.ofMillis(random.nextLong(1_000, 60_000))),
                Duration.ofMillis(random.nextLong(1_000, 20_000)));
    }

    private void create(DesiredEndpoint desired) {
        recordInterval(service.create(desired));
    }

    private void recordInterval(StoredEndpoint stored) {
        FixedInterval interval = (FixedInterval) stored.endpoint().definition().baseline();
        invariants.recordInterval(stored.endpoint().id(), interval.every());
    }

    private void change(String name) {
        DesiredEndpoint other = randomEndpoint(name);
        service.update(
                        name,
                        seen -> new DesiredEndpoint(
                                other.definition(), seen.overrides().pausedUntil()))
                .ifPresent(this::recordInterval);
    }

    /** Archives an endpoint and reuses its name at once. */
    private void replace(String name) {
        archivedIds.add(idOf(name));
        service.archive(name);
        create(randomEndpoint(name));
    }

    private void step() {
        Instant next = workers.stream()
                .map(SimulatedWorker::nextEventAt)
                .min(Instant::compareTo)
                .orElseThrow();
        clock.moveTo(next);
        for (SimulatedWorker worker : workers) {
            worker.receiver.finishDueCalls();
            if (!worker.nextRunAt.isAfter(clock.instant())) {
                worker.runOnce();
            }
        }
    }

    private Behaviour randomBehaviour(CallRequest call) {
        int outcome = faultsEnabled ? random.nextInt(10) : 9;
        Duration duration = Duration.ofMillis(random.nextLong(1, 3_000));
        return switch (outcome) {
            case 0 -> SimulatedReceiver.succeedAfter(Duration.ofHours(1));
            case 1, 2, 3 -> SimulatedReceiver.failAfter(duration);
            default -> SimulatedReceiver.succeedAfter(duration);
        };
    }

    private void performUserAction() {
        String name = names.get(random.nextInt(names.size()));
        Instant now = clock.instant();
        int what = random.nextInt(9);
        log("user action " + what + " on " + name);
        switch (what) {
            case 0 -> service.pause(name, new EndpointPause(now.plusSeconds(random.nextLong(1, 120)), "", ""));
            case 1 -> service.resume(name);
            case 2 -> runNow(name);
            case 3 -> service.resetFailures(name);
            case 4 -> service.addHint(name, at -> new OneShotHint(at, at, at.plusSeconds(60), "ada", "once"));
            case 5 ->
                service.addHint(
                        name, at -> new IntervalHint(Duration.ofSeconds(3), at, at.plusSeconds(30), "ada", "often"));
            case 6 -> change(name);
            case 7 -> replace(name);
            default -> service.clearHints(name);
        }
        workers.forEach(worker -> {
            worker.loop.pollSoon();
            worker.nextRunAt = clock.instant();
        });
    }

    private void runNow(String name) {
        try {
            service.runNow(name, "ada", "now");
        } catch (EndpointStateException refused) {
            log(refused.toString());
        }
    }

    private void killOrStopWorker() {
        int which = random.nextInt(workers.size());
        SimulatedWorker worker = workers.get(which);
        if (random.nextBoolean()) {
            log(worker.name + " is killed");
        } else {
            log(worker.name + " is stopped");
            worker.loop.stopClaiming();
            worker.receiver.close();
            worker.runOnce();
            if (random.nextBoolean()) {
                // Before another worker claims the aborted run: stopping a server often goes with changes.
                performUserAction();
            }
        }
        workers.set(which, new SimulatedWorker());
    }

    private void log(String text) {
        eventLog.add(clock.instant() + " " + text);
    }

    /** Makes a store operation fail, lose its response, or stall the worker afterwards. */
    private final class StoreFaults implements FaultyEndpointStore.Hook {

        @Override
        public void before(String call) {
            if (faultsEnabled && random.nextInt(50) == 0) {
                throw new StorageUnavailableException("no response to " + call, new SQLException());
            }
        }

        @Override
        public void after(String call) {
            if (faultsEnabled && random.nextInt(50) == 0) {
                log("the response to " + call + " is lost");
                throw new StorageUnavailableException("lost response to " + call, new SQLException());
            }
            if (faultsEnabled && random.nextInt(100) == 0) {
                Duration stall = Duration.ofSeconds(random.nextLong(1, 40));
                log("a worker stalls for " + stall + " after " + call);
                clock.advance(stall);
            }
        }
    }

    /** A worker and the receiver of its calls. */
    private final class SimulatedWorker implements CallDispatcher {

        private final String name = "w" + counter++;
        private final SimulatedReceiver receiver = new SimulatedReceiver(clock, WorkerSimulation.this::randomBehaviour);
        private Instant nextRunAt = clock.instant();
        private final SchedulerLoop loop;

        SimulatedWorker() {
            EndpointStore seen = disabledSafeguard.wrap(FaultyEndpointStore.wrap(store, new StoreFaults()));
            EndpointWorkerSettings settings =
                    new EndpointWorkerSettings(name, CONCURRENCY, PER_HOST, MARGIN, Duration.ofSeconds(5));
            loop = new SchedulerLoop(
                    seen,
                    this,
                    planner,
                    settings,
                    EndpointWorkerListener.NOOP,
                    () -> "t" + counter++,
                    this::scheduleNow);
        }

        private void scheduleNow() {
            nextRunAt = clock.instant();
        }

        @Override
        public void dispatch(CallRequest call, String key, Consumer<CallResult> done) {
            log(name + " calls " + key);
            invariants.checkCall(name, call, key);
            if (receiver.pendingCount() >= CONCURRENCY || receiver.pendingCountTo(call.url()) >= PER_HOST) {
                throw new AssertionError(name + " exceeds its concurrency limit");
            }
            if (workers.stream().anyMatch(worker -> worker.receiver.isPending(key))) {
                throw new AssertionError(name + " calls an endpoint whose call is in flight: " + key);
            }
            receiver.dispatch(call, key, done);
        }

        Instant nextEventAt() {
            Instant callEnd = receiver.nextEndAt().orElse(Instant.MAX);
            return callEnd.isBefore(nextRunAt) ? callEnd : nextRunAt;
        }

        void runOnce() {
            try {
                nextRunAt = loop.runOnce();
            } catch (StorageUnavailableException unavailable) {
                nextRunAt = clock.instant().plusMillis(500);
            }
        }

        @Override
        public void close() {
            receiver.close();
        }
    }
}
