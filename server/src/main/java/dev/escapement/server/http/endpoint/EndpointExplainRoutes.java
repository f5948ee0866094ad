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

/** Why an endpoint runs next when it does. */
public final class EndpointExplainRoutes {

    private final EndpointRouteContext routeContext;

    public EndpointExplainRoutes(EndpointRouteContext parts) {
        this.routeContext = parts;
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
        Map<?, ?> plan = status.get("plan") instanceof Map<?, ?> story ? story : Map.of();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("endpoint", stored.endpoint().definition().name());
        answer.put("now", now);
        answer.put("state", EndpointDocumentWriter.stateOf(stored.endpoint(), now));
        answer.put("nextRun", Optional.ofNullable(status.get("nextRun")));
        answer.put("running", Optional.ofNullable(status.get("running")));
        answer.put("plan", plan);
        List<String> lines = new ArrayList<>(currentActivity(stored, now));
        String story = Optional.ofNullable(plan.get("explanation"))
                .map(Object::toString)
                .orElse("");
        lines.addAll(story.lines().toList());
        answer.put("explanation", String.join("\n", lines));
        Responses.writeJson(context, 200, answer);
    }

    /** What is going on now; the plan itself was made before. */
    private static List<String> currentActivity(StoredEndpoint stored, Instant now) {
        Optional<EndpointLease> lease =
                stored.lease().filter(held -> held.expiresAt().isAfter(now));
        if (lease.isPresent()) {
            return List.of("It is being run now, by %s since %s; what comes after is planned when it ends."
                    .formatted(lease.get().workerName(), lease.get().claimedAt()));
        }
        return stored.endpoint()
                .nextRun()
                .at()
                .filter(at -> !at.isAfter(now))
                .map(at -> List.of("It is due and waits for a worker with room for it."))
                .orElse(List.of());
    }
}
