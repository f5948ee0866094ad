package dev.escapement.server.http.system;

import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.governor.Policy;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.server.http.access.Right;
import io.javalin.http.HandlerType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Routes of workflows, policy, health and metrics.
 *
 * @param policyDocument returns the values of the policy, their origins, since when, and the last rejected change
 * @param metrics returns all metrics in the text format of Prometheus
 */
public record SystemRoutes(
        WorkflowLookup workflows,
        Supplier<Policy> policy,
        Supplier<Map<String, Object>> policyDocument,
        HealthChecks health,
        Supplier<String> metrics) {

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/workflows", request -> request.respond(200, workflows.list())),
                Route.get("/api/v1/workflows/{id}", this::getWorkflow),
                Route.get("/api/v1/policy", request -> request.respond(200, policyDocument.get())),
                Route.page("/health/live", request -> respondHealth(request, health.checkLiveness())),
                Route.page("/health/ready", request -> respondHealth(request, health.checkReadiness())),
                new Route(
                        HandlerType.GET,
                        "/metrics",
                        Optional.of(Right.VIEW),
                        request -> request.context()
                                .contentType("text/plain; version=0.0.4; charset=utf-8")
                                .result(metrics.get())));
    }

    private void getWorkflow(ApiRequest request) {
        String id = request.pathParameter("id");
        CatalogueWorkflow found = workflows
                .get(id)
                .orElseThrow(() -> HttpProblem.notFound(workflows.notFoundMessage(ApiRequest.quote(id))));
        request.respond(200, found);
    }

    private static void respondHealth(ApiRequest request, HealthChecks.Report report) {
        request.respond(report.healthy() ? 200 : 503, report);
    }
}
