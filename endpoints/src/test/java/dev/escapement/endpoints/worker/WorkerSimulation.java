package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.model.EndpointDocumentReader.DesiredEndpoint;
import dev.escapement.endpoints.model.EndpointPause;
import dev.escapement.endpoints.model.SampleEndpoints;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.schedule.EndpointPausedException;
import dev.escapement.endpoints.schedule.EndpointPlanner;
import dev.escapement.endpoints.schedule.EndpointService;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.worker.SimulatedReceiver.Behaviour;
import dev.escapement.governor.plan.FixedInterval;
import dev.escapement.governor.plan.IntervalHint;
import dev.escapement.governor.plan.OneShotHint;
import dev.escapement.governor.plan.RunPlanner;
import dev.escapement.storage.problem.StorageUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Several workers on one store, in virtual time, by one seed: calls that fail and hang; workers that die, stop or stand
 * still; a store that does not answer, or whose answer is lost; people who change their minds. Then all is well for a
 * while, and everything has to add up.
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

    WorkerSimulation(long seed, DisabledSafeguard sabotage) {
        this.random = new SplittableRandom(seed);
        this.disabledSafeguard = sabotage;
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
        Instant worst = clock.instant().plus(FAULT_DURATION);
        while (clock.instant().isBefore(worst)) {
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
        // What is due at this very moment is not late.
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

    private void create(DesiredEndpoint wanted) {
        recordInterval(service.create(wanted));
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

    /** The name is free at once, for one that has nothing to do with it. */
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
        for (SimulatedWorker hand : workers) {
            hand.receiver.finishDueCalls();
            if (!hand.nextRunAt.isAfter(clock.instant())) {
                hand.runOnce();
            }
        }
    }

    private Behaviour randomBehaviour(CallRequest call) {
        int luck = faultsEnabled ? random.nextInt(10) : 9;
        Duration takes = Duration.ofMillis(random.nextLong(1, 3_000));
        return switch (luck) {
            case 0 -> SimulatedReceiver.succeedAfter(Duration.ofHours(1));
            case 1, 2, 3 -> SimulatedReceiver.failAfter(takes);
            default -> SimulatedReceiver.succeedAfter(takes);
        };
    }

    private void performUserAction() {
        String name = names.get(random.nextInt(names.size()));
        Instant now = clock.instant();
        int what = random.nextInt(9);
        log("a person does " + what + " to " + name);
        switch (what) {
            case 0 -> service.pause(name, EndpointPause.endingAt(now.plusSeconds(random.nextLong(1, 120))));
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
        workers.forEach(hand -> {
            hand.loop.pollSoon();
            hand.nextRunAt = clock.instant();
        });
    }

    private void runNow(String name) {
        try {
            service.runNow(name, "ada", "now");
        } catch (EndpointPausedException refused) {
            log(refused.toString());
        }
    }

    private void killOrStopWorker() {
        int which = random.nextInt(workers.size());
        SimulatedWorker hand = workers.get(which);
        if (random.nextBoolean()) {
            log(hand.name + " is killed");
        } else {
            log(hand.name + " is stopped");
            hand.loop.stopClaiming();
            hand.receiver.close();
            hand.runOnce();
            if (random.nextBoolean()) {
                // Before anybody else has what was cut off: who stops a server often has something to change, too.
                performUserAction();
            }
        }
        workers.set(which, new SimulatedWorker());
    }

    private void log(String text) {
        eventLog.add(clock.instant() + " " + text);
    }

    /** The store does not answer, or has done it and its answer is lost, or the worker stands still after it. */
    private final class StoreFaults implements FaultyEndpointStore.Hook {

        @Override
        public void before(String call) {
            if (faultsEnabled && random.nextInt(50) == 0) {
                throw new StorageUnavailableException("no answer to " + call, new SQLException());
            }
        }

        @Override
        public void after(String call) {
            if (faultsEnabled && random.nextInt(50) == 0) {
                log("the answer to " + call + " is lost");
                throw new StorageUnavailableException("lost answer to " + call, new SQLException());
            }
            if (faultsEnabled && random.nextInt(100) == 0) {
                Duration still = Duration.ofSeconds(random.nextLong(1, 40));
                log("a worker stands still for " + still + " after " + call);
                clock.advance(still);
            }
        }
    }

    /** A worker, and the other side of its calls. */
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
        public void dispatch(CallRequest call, Consumer<CallResult> done) {
            log(name + " calls " + call.idempotencyKey());
            invariants.checkCall(name, call);
            if (receiver.pendingCount() >= CONCURRENCY || receiver.pendingCountTo(call.url()) >= PER_HOST) {
                throw new AssertionError(name + " has more calls under way than it may have");
            }
            if (workers.stream().anyMatch(hand -> hand.receiver.isPending(call.idempotencyKey()))) {
                throw new AssertionError(name + " calls what is being called: " + call);
            }
            receiver.dispatch(call, done);
        }

        Instant nextEventAt() {
            Instant landing = receiver.nextEndAt().orElse(Instant.MAX);
            return landing.isBefore(nextRunAt) ? landing : nextRunAt;
        }

        void runOnce() {
            try {
                nextRunAt = loop.runOnce();
            } catch (StorageUnavailableException trouble) {
                nextRunAt = clock.instant().plusMillis(500);
            }
        }

        @Override
        public void close() {
            receiver.close();
        }
    }
}
