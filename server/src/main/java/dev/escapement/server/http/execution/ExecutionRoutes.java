package dev.escapement.server.http.execution;

import static dev.escapement.server.http.QueryParams.quote;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.mapping.ExecutionMapper;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionQueries.ExecutionFilter;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.governor.Target;
import dev.escapement.server.WorkItem;
import dev.escapement.server.document.ExecutionRequestParser;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.RequestSupport;
import dev.escapement.server.http.Responses;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Routes that create, list, cancel and delete executions. */
public record ExecutionRoutes(Backend backend, RequestSupport support) {

    /**
     * What the routes of executions and targets read and write.
     *
     * @param workQueue receives every execution that was created, cancelled or deleted
     * @param reloader returns a just created execution as it is stored
     */
    public record Backend(
            ExecutionStore store,
            ExecutionQueries queries,
            ExecutionService service,
            RunLogs logs,
            Consumer<WorkItem> workQueue,
            UnaryOperator<Execution> reloader) {}

    private static final List<String> PHASES = List.of("Completed", "Failed", "Pending", "Running", "Skipped");

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
        String namespace = execution.ref().namespace();
        String name = execution.ref().name();
        if (!tryCreate(execution)) {
            throw HttpProblem.alreadyExists(
                    "namespace %s has an execution %s already: names are used once; choose another or leave it out"
                            .formatted(namespace, name));
        }
        enqueue(execution);
        context.header("Location", "/api/v1/executions/%s?namespace=%s".formatted(name, namespace));
        Execution stored = backend.reloader().apply(execution);
        Responses.writeJson(context, 201, ExecutionMapper.toDocument(stored, ""));
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
        var target = Target.tryParse(execution.spec().targetResource());
        backend.workQueue().accept(new WorkItem(execution.ref(), target));
    }

    private Execution readRequest(Context context) throws IOException {
        Map<String, Object> document = support.bodies().readDocument(context);
        try {
            String uid = UUID.randomUUID().toString();
            Execution execution =
                    ExecutionRequestParser.parse(document, QueryParams.namespace(context), uid, support.now());
            String stored = execution.ref().namespace();
            QueryParams.readText(context, "namespace")
                    .filter(namespace -> !namespace.equals(stored))
                    .ifPresent(namespace -> {
                        throw HttpProblem.badRequest(
                                "the parameter namespace is %s and metadata.namespace is %s: leave one out"
                                        .formatted(quote(namespace), quote(stored)));
                    });
            return execution;
        } catch (IllegalArgumentException invalid) {
            throw HttpProblem.badRequest(String.valueOf(invalid.getMessage()));
        }
    }

    private void list(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace", "phase", "workflow", "target", "limit", "continue"));
        Optional<String> phase = QueryParams.readText(context, "phase");
        if (phase.isPresent() && !PHASES.contains(phase.get())) {
            throw HttpProblem.badRequest(
                    "phase is %s: it must be one of %s".formatted(quote(phase.get()), String.join(", ", PHASES)));
        }
        // An execution with an invalid target is found by the text of that target.
        Optional<String> target = QueryParams.readText(context, "target")
                .map(text -> Target.tryParse(text).map(Target::canonical).orElse(text));
        ExecutionFilter filter = new ExecutionFilter(
                QueryParams.readText(context, "namespace"), phase, QueryParams.readText(context, "workflow"), target);
        Responses.writePage(
                context,
                (token, limit) -> backend.queries().listExecutions(filter, token, limit),
                ExecutionRoutes::toDocument);
    }

    private void get(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        Versioned<Execution> found = backend.queries()
                .findExecution(QueryParams.namespace(context), context.pathParam("name"))
                .orElseThrow(() -> notFound(context));
        Responses.writeJson(context, 200, toDocument(found));
    }

    private void cancel(Context context) throws IOException {
        String by = readCaller(context);
        Versioned<Execution> cancelled = backend.service()
                .cancel(QueryParams.namespace(context), context.pathParam("name"), by, support.now())
                .orElseThrow(() -> notFound(context));
        enqueue(cancelled.value());
        Responses.writeJson(context, 200, toDocument(cancelled));
    }

    private void delete(Context context) throws IOException {
        String by = readCaller(context);
        Execution deleted = backend.service()
                .delete(QueryParams.namespace(context), context.pathParam("name"), by, support.now())
                .orElseThrow(() -> notFound(context));
        enqueue(deleted);
        Responses.writeJson(context, 200, ExecutionMapper.toDocument(deleted, ""));
    }

    private String readCaller(Context context) throws IOException {
        QueryParams.rejectUnknown(context, Set.of("namespace"));
        return support.resolveCaller(context, support.readOptionalBody(context, Set.of("by")));
    }

    private static WorkflowExecution toDocument(Versioned<Execution> seen) {
        return ExecutionMapper.toDocument(seen.value(), seen.version());
    }

    static HttpProblem notFound(Context context) {
        return HttpProblem.notFound("namespace %s has no execution %s: GET /api/v1/executions lists them"
                .formatted(quote(QueryParams.namespace(context)), quote(context.pathParam("name"))));
    }
}
