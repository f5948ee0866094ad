package dev.escapement.server.http.execution;

import dev.escapement.common.SafeText;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Target;
import dev.escapement.server.WorkItem;
import dev.escapement.server.http.AccessFilter;
import dev.escapement.server.http.CallerIdentity;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.PagedResponse;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
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
public final class ExecutionRoutes {

    private static final Set<String> PHASES = Set.of("Pending", "Running", "Completed", "Failed", "Skipped");
    private static final int MAX_QUOTE_LENGTH = 200;

    private final ExecutionQueries directory;
    private final ExecutionService requests;
    private final Consumer<WorkItem> workQueue;
    private final UnaryOperator<Execution> reloader;
    private final RequestBodies bodies;
    private final AccessFilter accessFilter;
    private final InstantSource clock;

    public ExecutionRoutes(
            ExecutionQueries directory,
            ExecutionService requests,
            Consumer<WorkItem> queue,
            UnaryOperator<Execution> stored,
            RequestBodies bodies,
            AccessFilter guard,
            InstantSource clock) {
        this.directory = directory;
        this.requests = requests;
        this.workQueue = queue;
        this.reloader = stored;
        this.bodies = bodies;
        this.accessFilter = guard;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/v1/executions", this::create),
                Route.get("/api/v1/executions", this::list),
                Route.get("/api/v1/executions/{name}", this::get),
                Route.delete("/api/v1/executions/{name}", this::delete),
                Route.post("/api/v1/executions/{name}/cancel", this::cancel));
    }

    private void create(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Execution asked = readRequest(context);
        if (!tryCreate(asked)) {
            throw HttpProblem.alreadyExists(
                    "namespace %s has an execution %s already: names are used once; choose another or leave it out"
                            .formatted(asked.ref().namespace(), asked.ref().name()));
        }
        workQueue.accept(WorkItem.of(asked.ref(), parseTarget(asked)));
        context.header(
                "Location",
                "/api/v1/executions/%s?namespace=%s"
                        .formatted(asked.ref().name(), asked.ref().namespace()));
        Responses.writeJson(context, 201, ExecutionDocument.write(reloader.apply(asked), ""));
    }

    /** Whoever gets no clear answer asks again: so it is carried on whether or not it was stored. */
    private boolean tryCreate(Execution asked) {
        try {
            return requests.create(asked);
        } catch (RuntimeException unknown) {
            workQueue.accept(WorkItem.of(asked.ref(), parseTarget(asked)));
            throw unknown;
        }
    }

    private Execution readRequest(Context context) throws IOException {
        Map<String, Object> document = bodies.readDocument(context);
        try {
            Execution asked = ExecutionDocument.request(
                    document, QueryParams.namespace(context), UUID.randomUUID().toString(), clock.instant());
            QueryParams.readText(context, "namespace")
                    .ifPresent(namespace -> rejectNamespaceMismatch(namespace, asked));
            return asked;
        } catch (IllegalArgumentException refused) {
            throw HttpProblem.badRequest(String.valueOf(refused.getMessage()));
        }
    }

    private static void rejectNamespaceMismatch(String namespace, Execution asked) {
        if (!namespace.equals(asked.ref().namespace())) {
            throw HttpProblem.badRequest("the parameter namespace is %s and metadata.namespace is %s: leave one out"
                    .formatted(
                            SafeText.quote(namespace, MAX_QUOTE_LENGTH),
                            SafeText.quote(asked.ref().namespace(), MAX_QUOTE_LENGTH)));
        }
    }

    private void list(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace", "phase", "workflow", "target", "limit", "continue"));
        QueryParams.readText(context, "phase")
                .filter(phase -> !PHASES.contains(phase))
                .ifPresent(phase -> {
                    throw HttpProblem.badRequest("phase is %s: it must be one of %s"
                            .formatted(
                                    SafeText.quote(phase, MAX_QUOTE_LENGTH), String.join(", ", new TreeSet<>(PHASES))));
                });
        // What was accepted although it is no target can be found as it was written.
        Optional<String> target = QueryParams.readText(context, "target")
                .map(text -> Target.tryParse(text).map(Target::canonical).orElse(text));
        ExecutionFilter filter = new ExecutionFilter(
                QueryParams.readText(context, "namespace"),
                QueryParams.readText(context, "phase"),
                QueryParams.readText(context, "workflow"),
                target);
        PagedResponse.write(
                context, (token, limit) -> directory.listExecutions(filter, token, limit), ExecutionRoutes::toDocument);
    }

    private void get(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Responses.writeJson(context, 200, toDocument(find(context)));
    }

    private Versioned<Execution> find(Context context) {
        return directory
                .findExecution(QueryParams.namespace(context), context.pathParam("name"))
                .orElseThrow(() -> notFound(context));
    }

    private void cancel(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, Set.of("by"));
        String by = CallerIdentity.resolve(context, body, accessFilter.needsToken());
        Versioned<Execution> cancelled = requests.cancel(
                        QueryParams.namespace(context), context.pathParam("name"), by, clock.instant())
                .orElseThrow(() -> notFound(context));
        workQueue.accept(WorkItem.of(cancelled.value().ref(), parseTarget(cancelled.value())));
        Responses.writeJson(context, 200, toDocument(cancelled));
    }

    private void delete(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Map<String, Object> body = bodies.readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, Set.of("by"));
        String by = CallerIdentity.resolve(context, body, accessFilter.needsToken());
        Execution deleted = requests.delete(
                        QueryParams.namespace(context), context.pathParam("name"), by, clock.instant())
                .orElseThrow(() -> notFound(context));
        workQueue.accept(WorkItem.of(deleted.ref(), parseTarget(deleted)));
        Responses.writeJson(context, 200, ExecutionDocument.write(deleted, ""));
    }

    private static Optional<Target> parseTarget(Execution execution) {
        return Target.tryParse(execution.spec().targetResource());
    }

    private static Map<String, Object> toDocument(Versioned<Execution> seen) {
        return ExecutionDocument.write(seen.value(), seen.version());
    }

    static HttpProblem notFound(Context context) {
        return HttpProblem.notFound("namespace %s has no execution %s: GET /api/v1/executions lists them"
                .formatted(
                        SafeText.quote(QueryParams.namespace(context), MAX_QUOTE_LENGTH),
                        SafeText.quote(context.pathParam("name"), MAX_QUOTE_LENGTH)));
    }
}
