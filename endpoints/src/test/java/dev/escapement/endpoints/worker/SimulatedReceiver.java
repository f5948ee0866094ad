package dev.escapement.endpoints.worker;

import dev.escapement.endpoints.guard.EndpointUrl;
import dev.escapement.endpoints.http.CallDispatcher;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/** Receives calls in virtual time; the test chooses result and duration. */
final class SimulatedReceiver implements CallDispatcher {

    /** Result and duration of a call. */
    record Behaviour(Duration duration, CallResult result) {}

    /** A received call. */
    record ReceivedCall(String key, String url, Instant receivedAt) {}

    private record PendingCall(
            String key, String host, Instant endsAt, CallResult result, Consumer<CallResult> callback) {}

    private final VirtualClock clock;
    private final Function<CallRequest, Behaviour> behaviour;
    private final List<ReceivedCall> receivedCalls = new ArrayList<>();
    private final PriorityQueue<PendingCall> pending = new PriorityQueue<>(Comparator.comparing(PendingCall::endsAt));

    SimulatedReceiver(VirtualClock clock, Function<CallRequest, Behaviour> behaviour) {
        this.clock = clock;
        this.behaviour = behaviour;
    }

    static Behaviour succeedAfter(Duration takes) {
        return new Behaviour(
                takes, new CallResult(Optional.empty(), Optional.of(200), "", "fine", 4, Optional.empty()));
    }

    static Behaviour failAfter(Duration takes) {
        return new Behaviour(
                takes, new CallResult(Optional.of(Failure.STATUS), Optional.of(503), "503", "", 0, Optional.empty()));
    }

    @Override
    public void dispatch(CallRequest call, String key, Consumer<CallResult> done) {
        receivedCalls.add(new ReceivedCall(key, call.url(), clock.instant()));
        Behaviour what = behaviour.apply(call);
        boolean inTime = what.duration().compareTo(call.timeout()) < 0;
        pending.add(new PendingCall(
                key,
                EndpointUrl.hostKeyOf(call.url()),
                clock.instant().plus(inTime ? what.duration() : call.timeout()),
                inTime ? what.result() : CallResult.failed(Failure.TIMEOUT, "no answer in time"),
                done));
    }

    List<ReceivedCall> receivedCalls() {
        return receivedCalls;
    }

    int pendingCount() {
        return pending.size();
    }

    int pendingCountTo(String url) {
        return (int) pending.stream()
                .filter(call -> call.host().equals(EndpointUrl.hostKeyOf(url)))
                .count();
    }

    /** Whether a call with this idempotency key is in flight. */
    boolean isPending(String key) {
        return pending.stream()
                .anyMatch(call -> call.key().equals(key) && call.endsAt().isAfter(clock.instant()));
    }

    /** When the next call ends. */
    Optional<Instant> nextEndAt() {
        return Optional.ofNullable(pending.peek()).map(PendingCall::endsAt);
    }

    /** Finishes the calls whose duration has passed. */
    void finishDueCalls() {
        while (!pending.isEmpty() && !pending.peek().endsAt().isAfter(clock.instant())) {
            PendingCall ended = pending.remove();
            ended.callback().accept(ended.result());
        }
    }

    @Override
    public void close() {
        List<PendingCall> cut = List.copyOf(pending);
        pending.clear();
        cut.forEach(call -> call.callback().accept(CallResult.failed(Failure.ABORTED, "closed")));
    }
}
