package dev.escapement.server.http.execution;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.server.WorkItem;
import dev.escapement.server.document.ExecutionRequestParser;
import dev.escapement.server.http.ExecutionBackend;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.PagedResponse;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestBodies;
import dev.escapement.server.http.RequestSupport;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** Routes that create, list, cancel and delete executions. */
public final class ExecutionRoutes {

    private static final Set<String> PHASES = Set.of("Pending", "Running", "Completed", "Failed", "Skipped");
    private static final int MAX_QUOTE_LENGTH = 200;

    private final ExecutionBackend backend;
    private final RequestSupport support;

    public ExecutionRoutes(ExecutionBackend backend, RequestSupport support) {
        this.backend = backend;
        this.support = support;
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
        Execution execution = readRequest(context);
        if (!tryCreate(execution)) {
            throw HttpProblem.alreadyExists(
                    "namespace %s has an execution %s already: names are used once; choose another or leave it out"
                            .formatted(
                                    execution.ref().namespace(), execution.ref().name()));
        }
        enqueue(execution);
        context.header(
                "Location",
                "/api/v1/executions/%s?namespace=%s"
                        .formatted(execution.ref().name(), execution.ref().namespace()));
        Responses.writeJson(
                context, 201, ExecutionMapper.toDocument(backend.reloader().apply(execution), ""));
    }

    private boolean tryCreate(Execution execution) {
        try {
            return backend.service().create(execution);
        } catch (RuntimeException failure) {
            // It may have been stored all the same.
            enqueue(execution);
            throw failure;
        }
    }

    private void enqueue(Execution execution) {
        backend.workQueue()
                .accept(WorkItem.of(
                        execution.ref(), Target.tryParse(execution.spec().targetResource())));
    }

    private Execution readRequest(Context context) throws IOException {
        Map<String, Object> document = support.bodies().readDocument(context);
        try {
            Execution execution = ExecutionRequestParser.parse(
                    document,
                    QueryParams.namespace(context),
                    UUID.randomUUID().toString(),
                    support.clock().instant());
            QueryParams.readText(context, "namespace")
                    .ifPresent(namespace -> rejectNamespaceMismatch(namespace, execution));
            return execution;
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest(String.valueOf(invalid.getMessage()));
        }
    }

    private static void rejectNamespaceMismatch(String namespace, Execution execution) {
        if (!namespace.equals(execution.ref().namespace())) {
            throw HttpProblem.badRequest("the parameter namespace is %s and metadata.namespace is %s: leave one out"
                    .formatted(
                            SafeText.quote(namespace, MAX_QUOTE_LENGTH),
                            SafeText.quote(execution.ref().namespace(), MAX_QUOTE_LENGTH)));
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
        // An execution with an invalid target is found by the text of that target.
        Optional<String> target = QueryParams.readText(context, "target")
                .map(text -> Target.tryParse(text).map(Target::canonical).orElse(text));
        ExecutionFilter filter = new ExecutionFilter(
                QueryParams.readText(context, "namespace"),
                QueryParams.readText(context, "phase"),
                QueryParams.readText(context, "workflow"),
                target);
        PagedResponse.write(
                context,
                (token, limit) -> backend.queries().listExecutions(filter, token, limit),
                ExecutionRoutes::toDocument);
    }

    private void get(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Responses.writeJson(context, 200, toDocument(find(context)));
    }

    private Versioned<Execution> find(Context context) {
        return backend.queries()
                .findExecution(QueryParams.namespace(context), context.pathParam("name"))
                .orElseThrow(() -> notFound(context));
    }

    private void cancel(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        String by = readCaller(context);
        Versioned<Execution> cancelled = backend.service()
                .cancel(
                        QueryParams.namespace(context),
                        context.pathParam("name"),
                        by,
                        support.clock().instant())
                .orElseThrow(() -> notFound(context));
        enqueue(cancelled.value());
        Responses.writeJson(context, 200, toDocument(cancelled));
    }

    private void delete(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        String by = readCaller(context);
        Execution deleted = backend.service()
                .delete(
                        QueryParams.namespace(context),
                        context.pathParam("name"),
                        by,
                        support.clock().instant())
                .orElseThrow(() -> notFound(context));
        enqueue(deleted);
        Responses.writeJson(context, 200, ExecutionMapper.toDocument(deleted, ""));
    }

    private String readCaller(Context context) throws IOException {
        Map<String, Object> body = support.bodies().readOptionalDocument(context);
        RequestBodies.rejectUnknown(body, Set.of("by"));
        return support.callers().resolve(context, body);
    }

    private static WorkflowExecution toDocument(Versioned<Execution> seen) {
        return ExecutionMapper.toDocument(seen.value(), seen.version());
    }

    static HttpProblem notFound(Context context) {
        return HttpProblem.notFound("namespace %s has no execution %s: GET /api/v1/executions lists them"
                .formatted(
                        SafeText.quote(QueryParams.namespace(context), MAX_QUOTE_LENGTH),
                        SafeText.quote(context.pathParam("name"), MAX_QUOTE_LENGTH)));
    }
}
