package dev.escapement.server.http;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.server.WorkItem;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.PolicySource;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.endpoint.DisabledEndpointRoutes;
import dev.escapement.server.http.endpoint.EndpointActionRoutes;
import dev.escapement.server.http.endpoint.EndpointAuditLog;
import dev.escapement.server.http.endpoint.EndpointExplainRoutes;
import dev.escapement.server.http.endpoint.EndpointImportRoutes;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.http.endpoint.EndpointRoutes;
import dev.escapement.server.http.endpoint.EndpointRunRoutes;
import dev.escapement.server.http.execution.ExecutionLogRoutes;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.system.DashboardRoutes;
import dev.escapement.server.http.system.EventRoutes;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.http.target.TargetRoutes;
import io.javalin.Javalin;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The server on its port. */
public final class RestServer implements AutoCloseable {

    /**
     * What it answers from.
     *
     * @param workQueue hears of what was asked for
     * @param reloader an execution that was just created, as the store has it
     * @param endpoints that are scheduled; empty if there is no database to keep them in
     * @param metrics in the text format of Prometheus
     */
    public record Dependencies(
            ExecutionStore store,
            ExecutionQueries directory,
            ExecutionService requests,
            RunLogs logs,
            JournalFeed feed,
            WorkflowLookup workflows,
            PolicySource policy,
            HealthChecks health,
            Supplier<String> metrics,
            Consumer<WorkItem> workQueue,
            UnaryOperator<Execution> reloader,
            Optional<EndpointRouteContext> endpoints,
            InstantSource clock) {}

    private final Javalin javalin;
    private final ResponseStreams streams;

    private RestServer(Javalin javalin, ResponseStreams streams) {
        this.javalin = javalin;
        this.streams = streams;
    }

    /**
     * Listens.
     *
     * @param port 0 for any free one
     * @throws RuntimeException if the address cannot be had
     */
    public static RestServer start(Settings settings, int port, Dependencies parts) {
        ResponseStreams streams = new ResponseStreams();
        AccessFilter guard = new AccessFilter(settings.token());
        RequestBodies bodies = new RequestBodies(settings.get(SettingsTable.MAX_REQUEST_SIZE), System::nanoTime);
        Javalin javalin = JavalinFactory.create(routes(parts, guard, bodies, streams), guard);
        try {
            // An address that cannot be had is the caller's to tell, in one line.
            LoggingConfiguration.runWithLoggerOff(
                    "io.javalin.Javalin", () -> javalin.start(settings.get(SettingsTable.HOST), port));
            return new RestServer(javalin, streams);
        } catch (RuntimeException failure) {
            streams.close();
            throw failure;
        }
    }

    static List<Route> routes(Dependencies parts, AccessFilter guard, RequestBodies bodies, ResponseStreams streams) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new ExecutionRoutes(
                        parts.directory(),
                        parts.requests(),
                        parts.workQueue(),
                        parts.reloader(),
                        bodies,
                        guard,
                        parts.clock())
                .routes());
        routes.addAll(new ExecutionLogRoutes(parts.directory(), parts.logs(), parts.feed(), streams).routes());
        routes.addAll(new TargetRoutes(
                        parts.store(),
                        parts.directory(),
                        parts.requests(),
                        parts.workflows(),
                        parts.policy(),
                        bodies,
                        guard,
                        parts.clock())
                .routes());
        routes.addAll(parts.endpoints()
                .map(endpoints -> endpointRoutes(endpoints, bodies, new EndpointAuditLog(guard)))
                .orElseGet(DisabledEndpointRoutes::routes));
        routes.addAll(new EventRoutes(parts.feed(), streams).routes());
        routes.addAll(new SystemRoutes(parts.workflows(), parts.policy(), parts.health(), parts.metrics()).routes());
        routes.addAll(new DashboardRoutes().routes());
        return routes;
    }

    private static List<Route> endpointRoutes(EndpointRouteContext parts, RequestBodies bodies, EndpointAuditLog log) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new EndpointRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointImportRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointActionRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointExplainRoutes(parts).routes());
        routes.addAll(new EndpointRunRoutes(parts).routes());
        return routes;
    }

    /** Where it listens. */
    public int port() {
        return javalin.port();
    }

    /** How many answers go on until their readers leave. */
    public int openStreams() {
        return streams.open();
    }

    /** Takes no more requests, and ends those that go on. */
    @Override
    public void close() {
        streams.close();
        javalin.stop();
    }
}
