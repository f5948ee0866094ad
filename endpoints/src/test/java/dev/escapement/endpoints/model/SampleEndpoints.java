package dev.escapement.endpoints.model;

import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallRequest.Method;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.governor.plan.Baseline;
import dev.escapement.governor.plan.CronExpression;
import dev.escapement.governor.plan.FixedInterval;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** Creates endpoints for tests. */
public final class SampleEndpoints {

    private SampleEndpoints() {}

    public static DesiredEndpoint withInterval(String name, Duration interval) {
        return of(name, "https://" + name + ".example/", new FixedInterval(interval));
    }

    public static DesiredEndpoint withCron(String name, String expression, String zone) {
        return of(name, "https://" + name + ".example/", CronExpression.of(expression, ZoneId.of(zone)));
    }

    public static DesiredEndpoint of(String name, String url, Baseline baseline) {
        return of(name, url, baseline, Duration.ofSeconds(10));
    }

    public static DesiredEndpoint of(String name, String url, Baseline baseline, Duration timeout) {
        return new DesiredEndpoint(
                new EndpointDefinition(
                        name,
                        "",
                        new CallRequest(url, Method.GET, Map.of(), "", timeout, Optional.empty()),
                        baseline,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty());
    }
}
