package dev.escapement.benchmarks.endpoints;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.DispatchLimits;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The calls and the HTTP client that all schedulers use. */
final class BenchmarkCalls {

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private BenchmarkCalls() {}

    static HttpCallDispatcher newDispatcher(ConcurrencyLimits limits) {
        DispatchLimits defaults = DispatchLimits.defaults("benchmark");
        return HttpCallDispatcher.open(
                new DispatchLimits(
                        limits.perHost(),
                        limits.concurrency(),
                        defaults.keepAlive(),
                        defaults.maxResponseBytes(),
                        defaults.maxExcerptChars(),
                        defaults.maxDnsLookups(),
                        defaults.userAgent()),
                AllowList.parse("127.0.0.0/8"),
                DnsResolver.system(),
                InstantSource.system());
    }

    static CallRequest callFor(Timetable timetable, int endpoint) {
        return new CallRequest(
                timetable.url(endpoint), CallRequest.Method.GET, Map.of(), "", TIMEOUT, Optional.empty());
    }
}
