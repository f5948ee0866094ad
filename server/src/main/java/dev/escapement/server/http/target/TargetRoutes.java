package dev.escapement.server.http.target;

import dev.escapement.api.target.Explanation;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.mapping.TargetMapper;
import dev.escapement.engine.mapping.TargetState;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.Obstacle;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.WorkflowLookup;
import dev.escapement.server.http.access.Right;
import dev.escapement.server.http.execution.ExecutionRoutes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Routes that list, explain and clear targets. */
public record TargetRoutes(ExecutionRoutes.Backend executions, WorkflowLookup workflows, Supplier<Policy> policy) {

    private static final int MAX_WORKFLOW_QUOTE_LENGTH = 100;

    public List<Route> routes() {
        return List.of(
                Route.get("/api/v1/targets", this::list, "state", "limit", "continue"),
                Route.get("/api/v1/targets/explain", this::explainNamed, "workflow", "target", "waitFor"),
                Route.post(Right.CLEAR, "/api/v1/targets/clear", this::clearNamed),
                Route.get("/api/v1/targets/{id}", this::get),
                Route.get(
                        "/api/v1/targets/{id}/explain",
                        request -> explain(request, readPathTarget(request)),
                        "workflow",
                        "target",
                        "waitFor"),
                Route.post(Right.CLEAR, "/api/v1/targets/{id}/clear", request -> {
                    Map<String, Object> body = readBody(request, Set.of("by", "reason"));
                    clear(request, readPathTarget(request), body);
                }));
    }

    private void explainNamed(ApiRequest request) {
        explain(request, parseTarget(request.parameter("target"), "write ?target=node/worker-1"));
    }

    private void clearNamed(ApiRequest request) throws IOException {
        Map<String, Object> body = readBody(request, Set.of("target", "by", "reason"));
        clear(request, parseTarget(RequestBodies.readText(body, "target"), "it names the target to clear"), body);
    }

    private static Map<String, Object> readBody(ApiRequest request, Set<String> fields) throws IOException {
        Map<String, Object> body = request.readBody();
        RequestBodies.rejectUnknown(body, fields);
        return body;
    }

    private void list(ApiRequest request) {
        String state = request.parameter("state").orElse("all");
        EntryFilter filter = switch (state) {
            case "all" -> EntryFilter.ALL;
            case "held" -> EntryFilter.HELD;
            case "failing" -> EntryFilter.FAILING;
            default ->
                throw HttpProblem.badRequest(
                        "state is %s: it must be all, held or failing".formatted(ApiRequest.quote(state)));
        };
        request.respondPage(
                (token, limit) -> executions.queries().listEntries(filter, token, limit),
                entry -> toDocument(request, entry));
    }

    private void get(ApiRequest request) {
        if (request.pathParameter("id").equals("clear")) {
            request.context().header("Allow", "POST");
            throw HttpProblem.of(405, "method not allowed: send POST to clear a target");
        }
        // A target without an entry is free and has no history: not an error.
        request.respond(200, toDocument(request, executions.store().readEntry(readPathTarget(request))));
    }

    private void explain(ApiRequest request, Target target) {
        String workflow = request.parameter("workflow")
                .orElseThrow(() -> HttpProblem.badRequest("workflow is missing: it names the workflow to check"));
        GateDecision decision = executions.service().explain(workflow, target, readWaitFor(request), request.now());
        boolean unknown = workflows.isUnknown(workflow);
        request.respond(200, toExplanation(workflow, target, decision, unknown));
    }

    /** Returns how long the execution would wait; empty if it would be skipped instead. */
    private static Optional<Duration> readWaitFor(ApiRequest request) {
        try {
            Optional<Duration> waitFor = request.parameter("waitFor").map(DurationText::parse);
            return new ConflictSettings(waitFor.map(given -> OnConflict.Wait), waitFor).waitLimit();
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest("waitFor: " + invalid.getMessage());
        }
    }

    private void clear(ApiRequest request, Target target, Map<String, Object> body) {
        String by = request.actor(body);
        String reason = ApiRequest.readReason(body)
                .orElseThrow(() -> HttpProblem.badRequest(
                        "reason is missing: it states why target " + target + " may be tried again"));
        Versioned<LedgerEntry> cleared = executions
                .service()
                .clear(target, new Clearance(by, reason, request.now()))
                .orElseGet(() -> executions.store().readEntry(target));
        request.respond(200, toDocument(request, cleared));
    }

    private Target readPathTarget(ApiRequest request) {
        String id = request.pathParameter("id");
        if (!id.matches("wfe-[0-9a-f]{16}")) {
            return parseTarget(id);
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

    private static Target parseTarget(Optional<String> text, String advice) {
        return parseTarget(text.orElseThrow(() -> HttpProblem.badRequest("target is missing: " + advice)));
    }

    private static Target parseTarget(String text) {
        try {
            return Target.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw HttpProblem.badRequest(String.valueOf(malformed.getMessage()));
        }
    }

    private RemediationTarget toDocument(ApiRequest request, Versioned<LedgerEntry> entry) {
        return TargetState.of(entry.value(), policy.get(), request.now())
                .addTo(TargetMapper.toDocument(entry.value(), entry.version()));
    }

    /**
     * Returns every check, and when the answer will change.
     *
     * @param unknown whether the catalogue does not have the workflow
     */
    private static Explanation toExplanation(String workflow, Target target, GateDecision decision, boolean unknown) {
        GateExplanation explanation = decision.explanation();
        String reason = null;
        String message = workflow + " would run on " + target + " now";
        String change = explanation.describeChange();
        Optional<Instant> allowedAt = explanation.allowedAt();
        if (unknown) {
            // Requests are validated before the gate.
            reason = "WorkflowNotFound";
            message =
                    "the catalogue has no workflow %s: it would fail before execution, whatever state the target is in"
                            .formatted(SafeText.quote(workflow, MAX_WORKFLOW_QUOTE_LENGTH));
            change = "when the catalogue has such a workflow";
            allowedAt = Optional.empty();
        } else if (decision instanceof GateDecision.Skip skip) {
            reason = skip.reason().name();
            message = skip.message();
        } else if (decision instanceof GateDecision.Wait wait) {
            reason = wait.cause().reason().name();
            message = "it would wait until %s at the latest; %s"
                    .formatted(wait.until(), wait.cause().message());
        }
        return new Explanation(
                workflow,
                target.canonical(),
                explanation.admits() && !unknown,
                reason,
                message,
                text(allowedAt),
                change,
                decision instanceof GateDecision.Wait wait ? wait.until().toString() : null,
                decision instanceof GateDecision.Wait wait ? (long) wait.ahead() : null,
                explanation.checks().stream().map(TargetRoutes::check).toList(),
                Map.of());
    }

    private static Explanation.Check check(GateExplanation.CheckResult result) {
        return new Explanation.Check(
                result.check().name(),
                result.check().question(),
                result.inputs(),
                result.obstacle().isPresent(),
                text(result.obstacle().flatMap(Obstacle::until)),
                Map.of());
    }

    private static @Nullable String text(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }
}
