package dev.escapement.server.http;

import dev.escapement.engine.document.TargetDocument;
import dev.escapement.engine.document.TargetState;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.EntryFilter;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Policy;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Targets: find them, explain what they would let run, clear them. */
final class TargetRoutes {

    private static final int LONGEST_QUOTE = 200;
    private static final int LONGEST_REASON = 1_000;

    private final ExecutionStore store;
    private final ExecutionQueries directory;
    private final ExecutionService requests;
    private final Workflows workflows;
    private final Supplier<Policy> policy;
    private final Bodies bodies;
    private final Guard guard;
    private final InstantSource clock;

    TargetRoutes(
            ExecutionStore store,
            ExecutionQueries directory,
            ExecutionService requests,
            Workflows workflows,
            Supplier<Policy> policy,
            Bodies bodies,
            Guard guard,
            InstantSource clock) {
        this.workflows = workflows;
        this.policy = policy;
        this.store = store;
        this.directory = directory;
        this.requests = requests;
        this.bodies = bodies;
        this.guard = guard;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/targets", this::list),
                Route.get("/api/v1/targets/explain", context -> explain(context, queryTarget(context))),
                Route.post("/api/v1/targets/clear", context -> {
                    Map<String, Object> body = bodies.document(context);
                    Bodies.refuseStrangers(body, Set.of("target", "by", "reason"));
                    clear(context, bodyTarget(body), body);
                }),
                Route.get("/api/v1/targets/{id}", this::get),
                Route.get("/api/v1/targets/{id}/explain", context -> explain(context, pathTarget(context))),
                Route.post("/api/v1/targets/{id}/clear", context -> {
                    Map<String, Object> body = bodies.document(context);
                    Bodies.refuseStrangers(body, Set.of("by", "reason"));
                    clear(context, pathTarget(context), body);
                }));
    }

    private void list(Context context) {
        Params.refuseStrangers(context, Set.of("state", "limit", "continue"));
        String state = Params.text(context, "state").orElse("all");
        EntryFilter filter = switch (state) {
            case "all" -> EntryFilter.ALL;
            case "held" -> EntryFilter.HELD;
            case "failing" -> EntryFilter.FAILING;
            default ->
                throw Problem.badRequest(
                        "state is %s: it must be all, held or failing".formatted(SafeText.quote(state, LONGEST_QUOTE)));
        };
        Lists.answer(context, (token, limit) -> directory.listEntries(filter, token, limit), this::document);
    }

    private void get(Context context) {
        Params.refuseStrangers(context, Set.of());
        // A target without an entry is a target that nothing is known of, not an error.
        Answers.json(context, 200, document(store.readEntry(pathTarget(context))));
    }

    private void explain(Context context, Target target) {
        Params.refuseStrangers(context, Set.of("workflow", "target"));
        String workflow = Params.text(context, "workflow")
                .orElseThrow(() -> Problem.badRequest("workflow is missing: say which workflow you would run"));
        Map<String, Object> explanation =
                ExplanationDocument.write(workflow, target, requests.explain(workflow, target, clock.instant()));
        Answers.json(
                context,
                200,
                workflows.isUnknown(workflow) ? ExplanationDocument.ofUnknown(workflow, explanation) : explanation);
    }

    private void clear(Context context, Target target, Map<String, Object> body) throws IOException {
        Params.refuseStrangers(context, Set.of());
        String by = Who.asks(context, body, guard.needsToken());
        String reason = Bodies.text(body, "reason")
                .map(text -> SafeText.sanitize(text, LONGEST_REASON))
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> Problem.badRequest(
                        "reason is missing: a clearance of " + target + " says why it may be tried again"));
        Versioned<LedgerEntry> cleared = requests.clear(target, new Clearance(by, reason, clock.instant()))
                .orElseGet(() -> store.readEntry(target));
        Answers.json(context, 200, document(cleared));
    }

    private Target pathTarget(Context context) {
        String id = context.pathParam("id");
        if (!id.matches("wfe-[0-9a-f]{16}")) {
            return Params.target(id);
        }
        return directory
                .findEntry(id)
                .map(entry -> entry.value().target())
                .orElseThrow(() ->
                        Problem.notFound("there is no target with the object name %s: nothing is held or".formatted(id)
                                + " remembered under it; write the target itself, such as node%2Fworker-1"));
    }

    private static Target queryTarget(Context context) {
        return Params.target(Params.text(context, "target")
                .orElseThrow(() -> Problem.badRequest("target is missing: write ?target=node/worker-1")));
    }

    private static Target bodyTarget(Map<String, Object> body) {
        return Params.target(Bodies.text(body, "target")
                .orElseThrow(() -> Problem.badRequest("target is missing: say which target to clear")));
    }

    private Map<String, Object> document(Versioned<LedgerEntry> entry) {
        return TargetState.of(entry.value(), policy.get(), clock.instant())
                .addTo(TargetDocument.write(entry.value(), entry.version()));
    }
}
