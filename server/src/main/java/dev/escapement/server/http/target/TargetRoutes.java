package dev.escapement.server.http.target;

import dev.escapement.api.target.RemediationTarget;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.http.ExecutionBackend;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.PagedResponse;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.RequestSupport;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.system.SystemBackend;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Routes that list, explain and clear targets. */
public record TargetRoutes(ExecutionBackend executions, SystemBackend system, RequestSupport support) {

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/targets", this::list),
                Route.get("/api/v1/targets/explain", context -> explain(context, readQueryTarget(context))),
                Route.post("/api/v1/targets/clear", context -> {
                    Map<String, Object> body = readBody(context, Set.of("target", "by", "reason"));
                    clear(context, readBodyTarget(body), body);
                }),
                Route.get("/api/v1/targets/{id}", this::get),
                Route.get("/api/v1/targets/{id}/explain", context -> explain(context, readPathTarget(context))),
                Route.post("/api/v1/targets/{id}/clear", context -> {
                    Map<String, Object> body = readBody(context, Set.of("by", "reason"));
                    clear(context, readPathTarget(context), body);
                }));
    }

    private Map<String, Object> readBody(Context context, Set<String> fields) throws IOException {
        Map<String, Object> body = support.bodies().readDocument(context);
        RequestBodies.rejectUnknown(body, fields);
        return body;
    }

    private void list(Context context) {
        QueryParams.rejectUnknown(context, Set.of("state", "limit", "continue"));
        String state = QueryParams.readText(context, "state").orElse("all");
        EntryFilter filter = switch (state) {
            case "all" -> EntryFilter.ALL;
            case "held" -> EntryFilter.HELD;
            case "failing" -> EntryFilter.FAILING;
            default ->
                throw HttpProblem.badRequest(
                        "state is %s: it must be all, held or failing".formatted(QueryParams.quote(state)));
        };
        PagedResponse.write(
                context, (token, limit) -> executions.queries().listEntries(filter, token, limit), this::toDocument);
    }

    private void get(Context context) {
        QueryParams.rejectUnknown(context, Set.of());
        // A target without an entry is free and has no history: not an error.
        Responses.writeJson(context, 200, toDocument(executions.store().readEntry(readPathTarget(context))));
    }

    private void explain(Context context, Target target) {
        QueryParams.rejectUnknown(context, Set.of("workflow", "target"));
        String workflow = QueryParams.readText(context, "workflow")
                .orElseThrow(() -> HttpProblem.badRequest("workflow is missing: it names the workflow to check"));
        GateDecision decision =
                executions.service().explain(workflow, target, support.now());
        boolean unknown = system.workflows().isUnknown(workflow);
        Responses.writeJson(context, 200, ExplanationMapper.toDocument(workflow, target, decision, unknown));
    }

    private void clear(Context context, Target target, Map<String, Object> body) {
        QueryParams.rejectUnknown(context, Set.of());
        String by = support.resolveCaller(context, body);
        String reason = RequestSupport.readReason(body)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: it states why target " + target + " may be tried again"));
        Versioned<LedgerEntry> cleared = executions
                .service()
                .clear(target, new Clearance(by, reason, support.now()))
                .orElseGet(() -> executions.store().readEntry(target));
        Responses.writeJson(context, 200, toDocument(cleared));
    }

    private Target readPathTarget(Context context) {
        String id = context.pathParam("id");
        if (!id.matches("wfe-[0-9a-f]{16}")) {
            return QueryParams.parseTarget(id);
        }
        return executions
                .queries()
                .findEntry(id)
                .map(entry -> entry.value().target())
                .orElseThrow(() -> HttpProblem.notFound(
                        "no target has the object name %s: it is free and has no history; use the target itself, such as"
                                        .formatted(id)
                                + " node%2Fworker-1"));
    }

    private static Target readQueryTarget(Context context) {
        return QueryParams.parseTarget(QueryParams.readText(context, "target")
                .orElseThrow(() -> HttpProblem.badRequest("target is missing: write ?target=node/worker-1")));
    }

    private static Target readBodyTarget(Map<String, Object> body) {
        return QueryParams.parseTarget(RequestBodies.readText(body, "target")
                .orElseThrow(() -> HttpProblem.badRequest("target is missing: it names the target to clear")));
    }

    private RemediationTarget toDocument(Versioned<LedgerEntry> entry) {
        return TargetState.of(
                        entry.value(), system.policy().get(), support.now())
                .addTo(TargetMapper.toDocument(entry.value(), entry.version()));
    }
}
