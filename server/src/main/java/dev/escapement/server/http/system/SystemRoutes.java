package dev.escapement.server.http.system;

import dev.escapement.common.SafeText;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.WorkflowLookup;
import io.javalin.http.Context;
import java.util.List;
import java.util.Set;

/** Routes of workflows, policy, health and metrics. */
public final class SystemRoutes {

    private static final int MAX_QUOTE_LENGTH = 200;

    private final SystemBackend backend;

    public SystemRoutes(SystemBackend backend) {
        this.backend = backend;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/api/v1/workflows",
                        context -> respond(context, backend.workflows().list())),
                Route.get("/api/v1/workflows/{id}", this::getWorkflow),
                Route.get(
                        "/api/v1/policy",
                        context -> respond(context, backend.policy().document())),
                Route.get(
                        "/health/live",
                        context -> respondHealth(context, backend.health().checkLiveness())),
                Route.get(
                        "/health/ready",
                        context -> respondHealth(context, backend.health().checkReadiness())),
                Route.get("/metrics", this::getMetrics));
    }

    private static void respond(Context context, Object document) {
        QueryParams.rejectUnknown(context, Set.of());
        Responses.writeJson(context, 200, document);
    }

    private void getWorkflow(Context context) {
        QueryParams.rejectUnknown(context, Set.of());
        String id = context.pathParam("id");
        WorkflowLookup workflows = backend.workflows();
        Responses.writeJson(
                context,
                200,
                workflows
                        .get(id)
                        .orElseThrow(() ->
                                HttpProblem.notFound(workflows.notFoundMessage(SafeText.quote(id, MAX_QUOTE_LENGTH)))));
    }

    private static void respondHealth(Context context, HealthChecks.Report report) {
        Responses.writeJson(context, report.isHealthy() ? 200 : 503, report.toDocument());
    }

    private void getMetrics(Context context) {
        context.contentType("text/plain; version=0.0.4; charset=utf-8")
                .result(backend.metrics().get());
    }
}
