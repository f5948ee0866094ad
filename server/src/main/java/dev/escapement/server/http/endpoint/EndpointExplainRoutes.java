package dev.escapement.server.http.endpoint;

import dev.escapement.endpoints.model.EndpointDocumentWriter;
import dev.escapement.endpoints.model.EndpointLease;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The route that explains the next run of an endpoint. */
public final class EndpointExplainRoutes {

    private final EndpointRouteContext routeContext;

    public EndpointExplainRoutes(EndpointRouteContext routeContext) {
        this.routeContext = routeContext;
    }

    public List<Route> routes() {
        return List.of(Route.get("/api/v1/endpoints/{name}/explain", this::explain));
    }

    private void explain(Context context) {
        QueryParams.rejectUnknown(context, Set.of());
        StoredEndpoint stored = routeContext.find(context);
        Instant now = routeContext.endpoints().store().clock().instant();
        Map<?, ?> status =
                EndpointDocumentWriter.write(stored, now).get("status") instanceof Map<?, ?> map ? map : Map.of();
        Map<?, ?> plan = status.get("plan") instanceof Map<?, ?> map ? map : Map.of();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("endpoint", stored.endpoint().definition().name());
        answer.put("now", now);
        answer.put("state", EndpointDocumentWriter.stateOf(stored.endpoint(), now));
        answer.put("nextRun", Optional.ofNullable(status.get("nextRun")));
        answer.put("running", Optional.ofNullable(status.get("running")));
        answer.put("plan", plan);
        List<String> lines = new ArrayList<>(currentActivity(stored, now));
        Optional.ofNullable(plan.get("explanation"))
                .ifPresent(text -> lines.addAll(text.toString().lines().toList()));
        answer.put("explanation", String.join("\n", lines));
        Responses.writeJson(context, 200, answer);
    }

    /** Describes a run that is in progress or due; the plan was made before it. */
    private static List<String> currentActivity(StoredEndpoint stored, Instant now) {
        Optional<EndpointLease> lease =
                stored.lease().filter(held -> held.expiresAt().isAfter(now));
        if (lease.isPresent()) {
            return List.of("It is running on %s since %s; the next run is planned when this one ends."
                    .formatted(lease.get().workerName(), lease.get().claimedAt()));
        }
        return stored.endpoint()
                .nextRun()
                .at()
                .filter(at -> !at.isAfter(now))
                .map(at -> List.of("It is due and waits for a worker with free capacity."))
                .orElse(List.of());
    }
}
