package dev.escapement.server.http;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.SafeText;
import dev.escapement.governor.Target;
import dev.escapement.server.worker.Work;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Executions: ask for one, find them, cancel, delete. */
final class ExecutionRoutes {

    private static final Set<String> PHASES = Set.of("Pending", "Running", "Completed", "Failed", "Skipped");
    private static final int LONGEST_QUOTE = 200;

    private final ExecutionQueries directory;
    private final ExecutionService requests;
    private final Consumer<Work> queue;
    private final UnaryOperator<Execution> stored;
    private final Bodies bodies;
    private final Guard guard;
    private final InstantSource clock;

    ExecutionRoutes(
            ExecutionQueries directory,
            ExecutionService requests,
            Consumer<Work> queue,
            UnaryOperator<Execution> stored,
            Bodies bodies,
            Guard guard,
            InstantSource clock) {
        this.directory = directory;
        this.requests = requests;
        this.queue = queue;
        this.stored = stored;
        this.bodies = bodies;
        this.guard = guard;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/executions", this::create),
                Route.get("/api/v1/executions", this::list),
                Route.get("/api/v1/executions/{name}", this::get),
                Route.delete("/api/v1/executions/{name}", this::delete),
                Route.post("/api/v1/executions/{name}/cancel", this::cancel));
    }

    private void create(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of("namespace"));
        Execution asked = asked(context);
        if (!isCreated(asked)) {
            throw Problem.conflict(
                    "namespace %s has an execution %s already: names are used once; choose another or leave it out"
                            .formatted(asked.ref().namespace(), asked.ref().name()));
        }
        queue.accept(Work.on(asked.ref(), target(asked)));
        context.header(
                "Location",
                "/api/v1/executions/%s?namespace=%s"
                        .formatted(asked.ref().name(), asked.ref().namespace()));
        Answers.json(context, 201, ExecutionDocument.write(stored.apply(asked), ""));
    }

    /** Whoever gets no clear answer asks again: so it is carried on whether or not it was stored. */
    private boolean isCreated(Execution asked) {
        try {
            return requests.create(asked);
        } catch (RuntimeException unknown) {
            queue.accept(Work.on(asked.ref(), target(asked)));
            throw unknown;
        }
    }

    private Execution asked(Context context) throws IOException {
        Map<String, Object> document = bodies.document(context);
        try {
            Execution asked = ExecutionDocument.request(
                    document, Params.namespace(context), UUID.randomUUID().toString(), clock.instant());
            Params.text(context, "namespace").ifPresent(namespace -> refuseOther(namespace, asked));
            return asked;
        } catch (IllegalArgumentException refused) {
            throw Problem.badRequest(String.valueOf(refused.getMessage()));
        }
    }

    private static void refuseOther(String namespace, Execution asked) {
        if (!namespace.equals(asked.ref().namespace())) {
            throw Problem.badRequest("the parameter namespace is %s and metadata.namespace is %s: leave one out"
                    .formatted(
                            SafeText.quote(namespace, LONGEST_QUOTE),
                            SafeText.quote(asked.ref().namespace(), LONGEST_QUOTE)));
        }
    }

    private void list(Context context) {
        Params.refuseStrangers(context, Set.of("namespace", "phase", "workflow", "target", "limit", "continue"));
        Params.text(context, "phase").filter(phase -> !PHASES.contains(phase)).ifPresent(phase -> {
            throw Problem.badRequest("phase is %s: it must be one of %s"
                    .formatted(SafeText.quote(phase, LONGEST_QUOTE), String.join(", ", new TreeSet<>(PHASES))));
        });
        // What was accepted although it is no target can be found as it was written.
        Optional<String> target = Params.text(context, "target")
                .map(text -> Target.tryParse(text).map(Target::canonical).orElse(text));
        ExecutionFilter filter = new ExecutionFilter(
                Params.text(context, "namespace"),
                Params.text(context, "phase"),
                Params.text(context, "workflow"),
                target);
        Lists.answer(
                context, (token, limit) -> directory.listExecutions(filter, token, limit), ExecutionRoutes::document);
    }

    private void get(Context context) {
        Params.refuseStrangers(context, Set.of("namespace"));
        Answers.json(context, 200, document(find(context)));
    }

    private Versioned<Execution> find(Context context) {
        return directory
                .findExecution(Params.namespace(context), context.pathParam("name"))
                .orElseThrow(() -> unknown(context));
    }

    private void cancel(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of("namespace"));
        Map<String, Object> body = bodies.optionalDocument(context);
        Bodies.refuseStrangers(body, Set.of("by"));
        String by = Who.asks(context, body, guard.needsToken());
        Versioned<Execution> cancelled = requests.cancel(
                        Params.namespace(context), context.pathParam("name"), by, clock.instant())
                .orElseThrow(() -> unknown(context));
        queue.accept(Work.on(cancelled.value().ref(), target(cancelled.value())));
        Answers.json(context, 200, document(cancelled));
    }

    private void delete(Context context) throws IOException {
        Params.refuseStrangers(context, Set.of("namespace"));
        Map<String, Object> body = bodies.optionalDocument(context);
        Bodies.refuseStrangers(body, Set.of("by"));
        String by = Who.asks(context, body, guard.needsToken());
        Execution deleted = requests.delete(Params.namespace(context), context.pathParam("name"), by, clock.instant())
                .orElseThrow(() -> unknown(context));
        queue.accept(Work.on(deleted.ref(), target(deleted)));
        Answers.json(context, 200, ExecutionDocument.write(deleted, ""));
    }

    private static Optional<Target> target(Execution execution) {
        return Target.tryParse(execution.spec().targetResource());
    }

    private static Map<String, Object> document(Versioned<Execution> seen) {
        return ExecutionDocument.write(seen.value(), seen.version());
    }

    static Problem unknown(Context context) {
        return Problem.notFound("namespace %s has no execution %s: GET /api/v1/executions lists them"
                .formatted(
                        SafeText.quote(Params.namespace(context), LONGEST_QUOTE),
                        SafeText.quote(context.pathParam("name"), LONGEST_QUOTE)));
    }
}
