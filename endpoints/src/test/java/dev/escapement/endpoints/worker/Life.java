package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.Endpoints;
import dev.escapement.endpoints.Pause;
import dev.escapement.endpoints.Paused;
import dev.escapement.endpoints.Planning;
import dev.escapement.endpoints.Sample;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.call.Dispatcher;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.FaultyEndpointStore;
import dev.escapement.endpoints.store.SimulatedEndpointStore;
import dev.escapement.endpoints.store.Stored;
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
final class Life {

    private static final int WORKERS = 3;
    private static final int CONCURRENCY = 4;
    private static final int PER_HOST = 2;
    private static final Duration MARGIN = Duration.ofSeconds(5);
    private static final Duration TROUBLED = Duration.ofMinutes(10);
    private static final Duration CALM = Duration.ofMinutes(2);
    private static final String[] HOSTS = {"https://a.example/", "https://b.example/"};

    private final SplittableRandom random;
    private final Sabotage sabotage;
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedEndpointStore store = new SimulatedEndpointStore(clock, 100_000);
    private final Promises promises = new Promises(store, clock);
    private final Planning planning = new Planning(RunPlanner.withDefaultJitter());
    private final Endpoints people;
    private final List<String> names = new ArrayList<>();
    private final List<String> archived = new ArrayList<>();
    private final List<Hand> hands = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private boolean troubled = true;
    private int counter;

    Life(long seed, Sabotage sabotage) {
        this.random = new SplittableRandom(seed);
        this.sabotage = sabotage;
        this.people = new Endpoints(store, planning, () -> "e" + counter++);
    }

    List<String> story() {
        return story;
    }

    void live() {
        for (int i = 0; i < 6; i++) {
            String name = "n" + i;
            names.add(name);
            create(wanted(name));
        }
        for (int i = 0; i < WORKERS; i++) {
            hands.add(new Hand());
        }
        Instant worst = clock.instant().plus(TROUBLED);
        while (clock.instant().isBefore(worst)) {
            step();
            if (random.nextInt(40) == 0) {
                person();
            }
            if (random.nextInt(60) == 0) {
                disaster();
            }
        }
        troubled = false;
        Instant end = clock.instant().plus(CALM);
        while (clock.instant().isBefore(end)) {
            step();
        }
        List<String> ids = new ArrayList<>(archived);
        names.forEach(name -> ids.add(id(name)));
        // What is due at this very moment is not late.
        hands.forEach(Hand::turn);
        promises.atTheEnd(ids);
    }

    private String id(String name) {
        return store.named(name).orElseThrow().endpoint().id();
    }

    private Wanted wanted(String name) {
        return Sample.of(
                name,
                HOSTS[random.nextInt(HOSTS.length)] + name,
                new FixedInterval(Duration.ofMillis(random.nextLong(1_000, 60_000))),
                Duration.ofMillis(random.nextLong(1_000, 20_000)));
    }

    private void create(Wanted wanted) {
        note(people.create(wanted));
    }

    private void note(Stored stored) {
        FixedInterval interval = (FixedInterval) stored.endpoint().definition().baseline();
        promises.onInterval(stored.endpoint().id(), interval.every());
    }

    private void change(String name) {
        Wanted other = wanted(name);
        people.change(
                        name,
                        seen -> new Wanted(other.definition(), seen.steering().pausedUntil()))
                .ifPresent(this::note);
    }

    /** The name is free at once, for one that has nothing to do with it. */
    private void replace(String name) {
        archived.add(id(name));
        people.archive(name);
        create(wanted(name));
    }

    private void step() {
        Instant next = hands.stream().map(Hand::next).min(Instant::compareTo).orElseThrow();
        clock.moveTo(next);
        for (Hand hand : hands) {
            hand.receiver.land();
            if (!hand.turnAt.isAfter(clock.instant())) {
                hand.turn();
            }
        }
    }

    private Behaviour behave(Call call) {
        int luck = troubled ? random.nextInt(10) : 9;
        Duration takes = Duration.ofMillis(random.nextLong(1, 3_000));
        return switch (luck) {
            case 0 -> SimulatedReceiver.well(Duration.ofHours(1));
            case 1, 2, 3 -> SimulatedReceiver.badly(takes);
            default -> SimulatedReceiver.well(takes);
        };
    }

    private void person() {
        String name = names.get(random.nextInt(names.size()));
        Instant now = clock.instant();
        int what = random.nextInt(9);
        tell("a person does " + what + " to " + name);
        switch (what) {
            case 0 -> people.pause(name, Pause.until(now.plusSeconds(random.nextLong(1, 120))));
            case 1 -> people.resume(name);
            case 2 -> runNow(name);
            case 3 -> people.resetFailures(name);
            case 4 -> people.hint(name, at -> new OneShotHint(at, at, at.plusSeconds(60), "ada", "once"));
            case 5 ->
                people.hint(
                        name, at -> new IntervalHint(Duration.ofSeconds(3), at, at.plusSeconds(30), "ada", "often"));
            case 6 -> change(name);
            case 7 -> replace(name);
            default -> people.clearHints(name);
        }
        hands.forEach(hand -> {
            hand.turns.lookSoon();
            hand.turnAt = clock.instant();
        });
    }

    private void runNow(String name) {
        try {
            people.runNow(name, "ada", "now");
        } catch (Paused refused) {
            tell(refused.toString());
        }
    }

    private void disaster() {
        int which = random.nextInt(hands.size());
        Hand hand = hands.get(which);
        if (random.nextBoolean()) {
            tell(hand.name + " is killed");
        } else {
            tell(hand.name + " is stopped");
            hand.turns.stop();
            hand.receiver.close();
            hand.turn();
            if (random.nextBoolean()) {
                // Before anybody else has what was cut off: who stops a server often has something to change, too.
                person();
            }
        }
        hands.set(which, new Hand());
    }

    private void tell(String text) {
        story.add(clock.instant() + " " + text);
    }

    /** The store does not answer, or has done it and its answer is lost, or the worker stands still after it. */
    private final class Trouble implements FaultyEndpointStore.Hook {

        @Override
        public void before(String call) {
            if (troubled && random.nextInt(50) == 0) {
                throw new StorageUnavailableException("no answer to " + call, new SQLException());
            }
        }

        @Override
        public void after(String call) {
            if (troubled && random.nextInt(50) == 0) {
                tell("the answer to " + call + " is lost");
                throw new StorageUnavailableException("lost answer to " + call, new SQLException());
            }
            if (troubled && random.nextInt(100) == 0) {
                Duration still = Duration.ofSeconds(random.nextLong(1, 40));
                tell("a worker stands still for " + still + " after " + call);
                clock.advance(still);
            }
        }
    }

    /** A worker, and the other side of its calls. */
    private final class Hand implements Dispatcher {

        private final String name = "w" + counter++;
        private final SimulatedReceiver receiver = new SimulatedReceiver(clock, Life.this::behave);
        private Instant turnAt = clock.instant();
        private final Turns turns;

        Hand() {
            EndpointStore seen = sabotage.around(FaultyEndpointStore.around(store, new Trouble()));
            WorkerSettings settings = new WorkerSettings(name, CONCURRENCY, PER_HOST, MARGIN, Duration.ofSeconds(5));
            turns = new Turns(seen, this, planning, settings, WorkerListener.NOBODY, () -> "t" + counter++, this::wake);
        }

        private void wake() {
            turnAt = clock.instant();
        }

        @Override
        public void dispatch(Call call, Consumer<Answer> done) {
            tell(name + " calls " + call.idempotencyKey());
            promises.onCall(name, call);
            if (receiver.going() >= CONCURRENCY || receiver.goingTo(call.url()) >= PER_HOST) {
                throw new AssertionError(name + " has more calls under way than it may have");
            }
            if (hands.stream().anyMatch(hand -> hand.receiver.isCalled(call.idempotencyKey()))) {
                throw new AssertionError(name + " calls what is being called: " + call);
            }
            receiver.dispatch(call, done);
        }

        Instant next() {
            Instant landing = receiver.next().orElse(Instant.MAX);
            return landing.isBefore(turnAt) ? landing : turnAt;
        }

        void turn() {
            try {
                turnAt = turns.turn();
            } catch (StorageUnavailableException trouble) {
                turnAt = clock.instant().plusMillis(500);
            }
        }

        @Override
        public void close() {
            receiver.close();
        }
    }
}
