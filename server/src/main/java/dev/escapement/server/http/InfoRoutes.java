package dev.escapement.server.http;

import dev.escapement.governor.SafeText;
import dev.escapement.server.settings.Rules;
import io.javalin.http.Context;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** What the server runs, by which rules, and how it is. */
final class InfoRoutes {

    private static final int LONGEST_QUOTE = 200;

    private final Workflows workflows;
    private final Rules policy;
    private final Health health;
    private final Supplier<String> metrics;

    InfoRoutes(Workflows workflows, Rules policy, Health health, Supplier<String> metrics) {
        this.workflows = workflows;
        this.policy = policy;
        this.health = health;
        this.metrics = metrics;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/workflows", context -> whole(context, workflows.list())),
                Route.get("/api/v1/workflows/{id}", this::workflow),
                Route.get("/api/v1/policy", context -> whole(context, policy.document())),
                Route.get("/health/live", context -> health(context, health.live())),
                Route.get("/health/ready", context -> health(context, health.ready())),
                Route.get("/metrics", this::metrics));
    }

    private static void whole(Context context, Object document) {
        Params.refuseStrangers(context, Set.of());
        Answers.json(context, 200, document);
    }

    private void workflow(Context context) {
        Params.refuseStrangers(context, Set.of());
        String id = context.pathParam("id");
        Answers.json(
                context,
                200,
                workflows
                        .get(id)
                        .orElseThrow(() -> Problem.notFound(workflows.absence(SafeText.quote(id, LONGEST_QUOTE)))));
    }

    private static void health(Context context, Health.Report report) {
        Answers.json(context, report.good() ? 200 : 503, report.document());
    }

    private void metrics(Context context) {
        context.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.get());
    }
}
