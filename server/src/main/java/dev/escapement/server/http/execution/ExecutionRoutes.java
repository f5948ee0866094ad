package dev.escapement.server.http.execution;

import static dev.escapement.server.http.ApiRequest.quote;

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
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Routes that create, list, cancel and delete executions. */
public record ExecutionRoutes(Backend backend) {

    /**
     * What the routes of executions and targets read and write.
     *
     * @param workQueue receives every execution that was created, cancelled or deleted
     * @param reloader returns a just created execution as it is stored
     * @param requestCheck throws IllegalArgumentException for a request that this server cannot honour
     */
    public record Backend(
            ExecutionStore store,
            ExecutionQueries queries,
            ExecutionService service,
            RunLogs logs,
            Consumer<WorkItem> workQueue,
            UnaryOperator<Execution> reloader,
            Consumer<Execution> requestCheck) {}

    private static final String[] LIST_PARAMETERS = {"namespace", "phase", "workflow", "target", "limit", "continue"};
    private static final List<String> PHASES = List.of("Completed", "Failed", "Pending", "Running", "Skipped");

    public List<Route> routes() {
        return List.of(
                Route.post(Right.RUN, "/api/v1/executions", this::create, "namespace"),
                Route.get("/api/v1/executions", this::list, LIST_PARAMETERS),
                Route.get("/api/v1/executions/{name}", this::get, "namespace"),
                Route.delete(Right.CLEAR, "/api/v1/executions/{name}", this::delete, "namespace"),
                Route.post(Right.RUN, "/api/v1/executions/{name}/cancel", this::cancel, "namespace"));
    }

    private void create(ApiRequest request) throws IOException {
        Execution execution = parse(request);
        String namespace = execution.ref().namespace();
        String name = execution.ref().name();
        if (!tryCreate(execution)) {
            throw HttpProblem.alreadyExists(
                    "namespace %s has an execution %s already: names are used once; choose another or leave it out"
                            .formatted(namespace, name));
        }
        enqueue(execution);
        request.context().header("Location", "/api/v1/executions/%s?namespace=%s".formatted(name, namespace));
        Execution stored = backend.reloader().apply(execution);
        request.respond(201, ExecutionMapper.toDocument(stored, ""));
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

    private Execution parse(ApiRequest request) throws IOException {
        Map<String, Object> document = request.readBody();
        try {
            String uid = UUID.randomUUID().toString();
            Execution execution = ExecutionRequestParser.parse(document, request.namespace(), uid, request.now())
                    .createdBy(request.actor(Map.of()));
            backend.requestCheck().accept(execution);
            String stored = execution.ref().namespace();
            request.parameter("namespace")
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

    private void list(ApiRequest request) {
        Optional<String> phase = request.parameter("phase");
        if (phase.isPresent() && !PHASES.contains(phase.get())) {
            throw HttpProblem.badRequest(
                    "phase is %s: it must be one of %s".formatted(quote(phase.get()), String.join(", ", PHASES)));
        }
        // An execution with an invalid target is found by the text of that target.
        Optional<String> target = request.parameter("target")
                .map(text -> Target.tryParse(text).map(Target::canonical).orElse(text));
        ExecutionFilter filter =
                new ExecutionFilter(request.parameter("namespace"), phase, request.parameter("workflow"), target);
        request.respondPage(
                (token, limit) -> backend.queries().listExecutions(filter, token, limit), ExecutionRoutes::toDocument);
    }

    private void get(ApiRequest request) {
        Versioned<Execution> found = backend.queries()
                .findExecution(request.namespace(), request.pathParameter("name"))
                .orElseThrow(() -> notFound(request));
        request.respond(200, toDocument(found));
    }

    private void cancel(ApiRequest request) throws IOException {
        String by = readCaller(request);
        Versioned<Execution> cancelled = backend.service()
                .cancel(request.namespace(), request.pathParameter("name"), by, request.now())
                .orElseThrow(() -> notFound(request));
        enqueue(cancelled.value());
        request.respond(200, toDocument(cancelled));
    }

    private void delete(ApiRequest request) throws IOException {
        String by = readCaller(request);
        Execution deleted = backend.service()
                .delete(request.namespace(), request.pathParameter("name"), by, request.now())
                .orElseThrow(() -> notFound(request));
        enqueue(deleted);
        request.respond(200, ExecutionMapper.toDocument(deleted, ""));
    }

    private static String readCaller(ApiRequest request) throws IOException {
        return request.actor(request.readOptionalBody(Set.of("by")));
    }

    private static WorkflowExecution toDocument(Versioned<Execution> seen) {
        return ExecutionMapper.toDocument(seen.value(), seen.version());
    }

    static HttpProblem notFound(ApiRequest request) {
        return HttpProblem.notFound("namespace %s has no execution %s: GET /api/v1/executions lists them"
                .formatted(quote(request.namespace()), quote(request.pathParameter("name"))));
    }
}
