package dev.escapement.server.http.system;

import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.governor.Policy;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.WorkflowLookup;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                document("/api/v1/workflows", workflows::list),
                Route.get("/api/v1/workflows/{id}", this::getWorkflow),
                document("/api/v1/policy", policyDocument),
                Route.get("/health/live", context -> respondHealth(context, health.checkLiveness())),
                Route.get("/health/ready", context -> respondHealth(context, health.checkReadiness())),
                Route.get(
                        "/metrics",
                        context -> context.contentType("text/plain; version=0.0.4; charset=utf-8")
                                .result(metrics.get())));
    }

    private static Route document(String path, Supplier<?> document) {
        return Route.get(path, context -> {
            QueryParams.rejectUnknown(context, Set.of());
            Responses.writeJson(context, 200, document.get());
        });
    }

    private void getWorkflow(Context context) {
        QueryParams.rejectUnknown(context, Set.of());
        String id = context.pathParam("id");
        CatalogueWorkflow found = workflows
                .get(id)
                .orElseThrow(() -> HttpProblem.notFound(workflows.notFoundMessage(QueryParams.quote(id))));
        Responses.writeJson(context, 200, found);
    }

    private static void respondHealth(Context context, HealthChecks.Report report) {
        Responses.writeJson(context, report.healthy() ? 200 : 503, report);
    }
}
