package dev.escapement.endpoints.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls for tests, and how to wait for what comes of them. */
final class Calls {

    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-16T08:00:00Z"));
    static final DispatchLimits LIMITS = DispatchLimits.defaults("test");
    static final Duration LONG = Duration.ofSeconds(50);
    static final Duration SHORT = Duration.ofMillis(300);
    static final Resolver NO_NAMES = name -> {
        throw new UnknownHostException(name);
    };

    private Calls() {}

    static HttpDispatcher open(String allowed) {
        return open(allowed, NO_NAMES);
    }

    static HttpDispatcher open(String allowed, Resolver resolver) {
        return HttpDispatcher.open(LIMITS, AllowList.parse(allowed), resolver, CLOCK);
    }

    static Call get(String url) {
        return get(url, LONG);
    }

    static Call get(String url, Duration timeout) {
        return new Call(url, Call.Method.GET, Map.of(), "", timeout, "key-1", Optional.empty());
    }

    static Call post(String url, Map<String, String> headers, String body) {
        return new Call(url, Call.Method.POST, headers, body, LONG, "key-1", Optional.empty());
    }

    static CompletableFuture<Answer> start(Dispatcher dispatcher, Call call) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        dispatcher.dispatch(
                call, told -> assertThat(answer.complete(told)).as("told once").isTrue());
        return answer;
    }

    static Answer answer(Dispatcher dispatcher, Call call) {
        return await(start(dispatcher, call));
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("no answer", failure);
        }
    }

    static List<InetAddress> addresses(String... texts) {
        return List.of(texts).stream()
                .map(text -> Addresses.parse(text).orElseThrow())
                .toList();
    }
}
