package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.HostKey;
import dev.escapement.endpoints.call.Answer;
import dev.escapement.endpoints.call.Answer.Failure;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.call.Dispatcher;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** The other side of every call, in virtual time. What it answers, and how long it takes, is the test's choice. */
final class SimulatedReceiver implements Dispatcher {

    /** What it does with a call. */
    record Behaviour(Duration takes, Answer answer) {}

    /** A call as it arrived. */
    record Hit(String key, String url, Instant at) {}

    private record Going(String key, String host, Instant ends, Answer answer, Consumer<Answer> done) {}

    private final VirtualClock clock;
    private final Function<Call, Behaviour> behaviour;
    private final List<Hit> hits = new ArrayList<>();
    private final PriorityQueue<Going> going = new PriorityQueue<>(Comparator.comparing(Going::ends));

    SimulatedReceiver(VirtualClock clock, Function<Call, Behaviour> behaviour) {
        this.clock = clock;
        this.behaviour = behaviour;
    }

    static Behaviour well(Duration takes) {
        return new Behaviour(takes, new Answer(Optional.empty(), Optional.of(200), "", "fine", 4, Optional.empty()));
    }

    static Behaviour badly(Duration takes) {
        return new Behaviour(
                takes, new Answer(Optional.of(Failure.STATUS), Optional.of(503), "503", "", 0, Optional.empty()));
    }

    @Override
    public void dispatch(Call call, Consumer<Answer> done) {
        hits.add(new Hit(call.idempotencyKey(), call.url(), clock.instant()));
        Behaviour what = behaviour.apply(call);
        boolean inTime = what.takes().compareTo(call.timeout()) < 0;
        going.add(new Going(
                call.idempotencyKey(),
                HostKey.of(call.url()),
                clock.instant().plus(inTime ? what.takes() : call.timeout()),
                inTime ? what.answer() : Answer.failed(Failure.TIMEOUT, "no answer in time"),
                done));
    }

    List<Hit> hits() {
        return hits;
    }

    int going() {
        return going.size();
    }

    int goingTo(String url) {
        return (int) going.stream()
                .filter(call -> call.host().equals(HostKey.of(url)))
                .count();
    }

    /** Whether a call under this key has not come to its end. */
    boolean isCalled(String key) {
        return going.stream()
                .anyMatch(call -> call.key().equals(key) && call.ends().isAfter(clock.instant()));
    }

    /** When the next call ends. */
    Optional<Instant> next() {
        return Optional.ofNullable(going.peek()).map(Going::ends);
    }

    /** Ends what has come to its end. */
    void land() {
        while (!going.isEmpty() && !going.peek().ends().isAfter(clock.instant())) {
            Going ended = going.remove();
            ended.done().accept(ended.answer());
        }
    }

    @Override
    public void close() {
        List<Going> cut = List.copyOf(going);
        going.clear();
        cut.forEach(call -> call.done().accept(Answer.failed(Failure.ABORTED, "closed")));
    }
}
