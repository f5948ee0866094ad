package dev.escapement.benchmarks.endpoints;

import dev.escapement.endpoints.call.AllowList;
import dev.escapement.endpoints.call.Call;
import dev.escapement.endpoints.call.DispatchLimits;
import dev.escapement.endpoints.call.HttpDispatcher;
import dev.escapement.endpoints.call.Resolver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The calls that all make, and the client that all make them with. */
final class Calls {

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Calls() {}

    static HttpDispatcher dispatcher(Knobs knobs) {
        return HttpDispatcher.open(
                DispatchLimits.defaults("benchmark").withConnectionsPerHost(knobs.perHost(), knobs.concurrency()),
                AllowList.parse("127.0.0.0/8"),
                Resolver.ofTheMachine(),
                InstantSource.system());
    }

    static Call of(Timetable timetable, int endpoint, long round) {
        return new Call(
                timetable.url(endpoint),
                Call.Method.GET,
                Map.of(),
                "",
                TIMEOUT,
                timetable.key(endpoint, round),
                Optional.empty());
    }
}
