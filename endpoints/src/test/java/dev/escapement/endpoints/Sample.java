package dev.escapement.endpoints;

import dev.escapement.endpoints.EndpointDocument.Wanted;
import dev.escapement.endpoints.call.Call.Method;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** Endpoints for tests. */
public final class Sample {

    private Sample() {}

    public static Wanted every(String name, Duration interval) {
        return of(name, "https://" + name + ".example/", new FixedInterval(interval));
    }

    public static Wanted cron(String name, String expression, String zone) {
        return of(name, "https://" + name + ".example/", CronExpression.of(expression, ZoneId.of(zone)));
    }

    public static Wanted of(String name, String url, Baseline baseline) {
        return of(name, url, baseline, Duration.ofSeconds(10));
    }

    public static Wanted of(String name, String url, Baseline baseline, Duration timeout) {
        return new Wanted(
                new Definition(
                        name,
                        "",
                        url,
                        Method.GET,
                        Map.of(),
                        "",
                        timeout,
                        Optional.empty(),
                        baseline,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty());
    }
}
