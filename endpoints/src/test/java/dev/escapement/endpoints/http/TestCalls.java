package dev.escapement.endpoints.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AddressParser;
import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
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

/** Creates calls and waits for their results. */
public final class TestCalls {

    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-16T08:00:00Z"));
    static final DispatchLimits LIMITS = DispatchLimits.defaults("test");
    static final Duration LONG_TIMEOUT = Duration.ofSeconds(50);
    static final Duration SHORT_TIMEOUT = Duration.ofMillis(300);
    static final DnsResolver UNKNOWN_HOST_RESOLVER = name -> {
        throw new UnknownHostException(name);
    };

    private TestCalls() {}

    public static HttpCallDispatcher open(String allowed) {
        return open(allowed, UNKNOWN_HOST_RESOLVER);
    }

    public static HttpCallDispatcher open(String allowed, DnsResolver resolver) {
        return HttpCallDispatcher.open(LIMITS, AllowList.parse(allowed), resolver, CLOCK);
    }

    public static CallRequest get(String url) {
        return get(url, LONG_TIMEOUT);
    }

    public static CallRequest get(String url, Duration timeout) {
        return new CallRequest(url, CallRequest.Method.GET, Map.of(), "", timeout, Optional.empty());
    }

    static CallRequest post(String url, Map<String, String> headers, String body) {
        return new CallRequest(url, CallRequest.Method.POST, headers, body, LONG_TIMEOUT, Optional.empty());
    }

    public static CompletableFuture<CallResult> start(CallDispatcher dispatcher, CallRequest call) {
        return start(dispatcher, call, "key-1");
    }

    private static CompletableFuture<CallResult> start(CallDispatcher dispatcher, CallRequest call, String key) {
        CompletableFuture<CallResult> answer = new CompletableFuture<>();
        dispatcher.dispatch(
                call,
                key,
                result -> assertThat(answer.complete(result)).as("first result").isTrue());
        return answer;
    }

    public static CallResult call(CallDispatcher dispatcher, CallRequest call) {
        return await(start(dispatcher, call));
    }

    static CallResult call(CallDispatcher dispatcher, CallRequest call, String key) {
        return await(start(dispatcher, call, key));
    }

    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failure) {
            throw new AssertionError("no answer", failure);
        }
    }

    public static List<InetAddress> parseAddresses(String... texts) {
        return List.of(texts).stream()
                .map(text -> AddressParser.parse(text).orElseThrow())
                .toList();
    }
}
