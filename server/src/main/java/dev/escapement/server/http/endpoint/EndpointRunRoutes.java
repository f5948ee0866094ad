package dev.escapement.server.http.endpoint;

import dev.escapement.api.endpoint.EndpointExplanation;
import dev.escapement.api.endpoint.EndpointStatus;
import dev.escapement.api.endpoint.ScheduleExplanation;
import dev.escapement.endpoints.model.EndpointStatusMapper;
import dev.escapement.endpoints.model.FinishedRun;
import dev.escapement.endpoints.model.StoredEndpoint;
import dev.escapement.endpoints.store.EndpointStore;
import dev.escapement.endpoints.store.EndpointStore.RunFilter;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Routes that list and return runs of endpoints, and explain the next one. */
public record EndpointRunRoutes(EndpointRouteContext routeContext) {

    private static final Pattern RUN_ID = Pattern.compile("(.{1,200})-([1-9][0-9]{0,17})");

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/endpoints/{name}/explain", this::explain),
                Route.get("/api/v1/endpoints/{name}/runs", this::listOfEndpoint, "outcome", "limit", "continue"),
                Route.get("/api/v1/runs", this::listAll, "endpoint", "outcome", "limit", "continue"),
                Route.get("/api/v1/runs/{id}", this::get));
    }

    private EndpointStore store() {
        return routeContext.endpoints().store();
    }

    private void listOfEndpoint(ApiRequest request) {
        list(request, Optional.of(routeContext.find(request)));
    }

    private void listAll(ApiRequest request) {
        list(request, request.parameter("endpoint").map(routeContext::find));
    }

    private void list(ApiRequest request, Optional<StoredEndpoint> endpoint) {
        RunFilter filter = new RunFilter(
                endpoint.map(stored -> stored.endpoint().id()),
                request.parameter("outcome").map(EndpointRunRoutes::isFailed));
        request.respondPage((token, limit) -> store().listRuns(filter, token, limit), EndpointStatusMapper::toDocument);
    }

    private static boolean isFailed(String outcome) {
        if (!outcome.equals("failed") && !outcome.equals("succeeded")) {
            throw HttpProblem.badRequest(
                    "outcome is %s: it must be failed or succeeded".formatted(ApiRequest.quote(outcome)));
        }
        return outcome.equals("failed");
    }

    private void get(ApiRequest request) {
        String id = request.pathParameter("id");
        Matcher named = RUN_ID.matcher(id);
        Optional<FinishedRun> run =
                named.matches() ? store().getRun(named.group(1), Long.parseLong(named.group(2))) : Optional.empty();
        FinishedRun found = run.orElseThrow(
                () -> HttpProblem.notFound("there is no run %s: GET /api/v1/runs lists all runs; old ones are removed"
                        .formatted(ApiRequest.quote(id))));
        request.respond(200, EndpointStatusMapper.toDocument(found));
    }

    private void explain(ApiRequest request) {
        StoredEndpoint stored = routeContext.find(request);
        Instant now = routeContext.now();
        EndpointStatus status = EndpointStatusMapper.toStatus(stored, now, Optional.empty());
        String explanation = Stream.of(
                        describeActivity(stored, now),
                        Optional.ofNullable(status.plan()).map(ScheduleExplanation::explanation))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("\n"));
        EndpointExplanation document = new EndpointExplanation(
                stored.endpoint().definition().name(),
                now.toString(),
                status.state(),
                status.nextRun(),
                status.running(),
                status.plan(),
                explanation,
                Map.of());
        request.respond(200, document);
    }

    /** Describes a run that is in progress or due; the plan was made before it. */
    private static Optional<String> describeActivity(StoredEndpoint stored, Instant now) {
        return stored.lease()
                .filter(held -> held.expiresAt().isAfter(now))
                .map(held -> "It is running on %s since %s; the next run is planned when this one ends."
                        .formatted(held.workerName(), held.claimedAt()))
                .or(() -> stored.endpoint()
                        .nextRun()
                        .at()
                        .filter(at -> !at.isAfter(now))
                        .map(at -> "It is due and waits for a worker with free capacity."));
    }
}
