package dev.escapement.server.http;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.server.events.Feed;
import dev.escapement.server.metrics.Logging;
import dev.escapement.server.settings.Rules;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.Work;
import io.javalin.Javalin;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The server on its port. */
public final class HttpServer implements AutoCloseable {

    /**
     * What it answers from.
     *
     * @param queue hears of what was asked for
     * @param stored an execution that was just created, as the store has it
     * @param endpoints that are scheduled; empty if there is no database to keep them in
     * @param metrics in the text format of Prometheus
     */
    public record Parts(
            ExecutionStore store,
            ExecutionQueries directory,
            ExecutionService requests,
            RunLogs logs,
            Feed feed,
            Workflows workflows,
            Rules policy,
            Health health,
            Supplier<String> metrics,
            Consumer<Work> queue,
            UnaryOperator<Execution> stored,
            Optional<EndpointParts> endpoints,
            InstantSource clock) {}

    private final Javalin javalin;
    private final Streams streams;

    private HttpServer(Javalin javalin, Streams streams) {
        this.javalin = javalin;
        this.streams = streams;
    }

    /**
     * Listens.
     *
     * @param port 0 for any free one
     * @throws RuntimeException if the address cannot be had
     */
    public static HttpServer start(Settings settings, int port, Parts parts) {
        Streams streams = new Streams();
        Guard guard = new Guard(settings.token());
        Bodies bodies = new Bodies(settings.get(SettingsTable.MAX_REQUEST_SIZE), System::nanoTime);
        Javalin javalin = Api.create(routes(parts, guard, bodies, streams), guard);
        try {
            // An address that cannot be had is the caller's to tell, in one line.
            Logging.without("io.javalin.Javalin", () -> javalin.start(settings.get(SettingsTable.HOST), port));
            return new HttpServer(javalin, streams);
        } catch (RuntimeException failure) {
            streams.close();
            throw failure;
        }
    }

    static List<Route> routes(Parts parts, Guard guard, Bodies bodies, Streams streams) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new ExecutionRoutes(
                        parts.directory(),
                        parts.requests(),
                        parts.queue(),
                        parts.stored(),
                        bodies,
                        guard,
                        parts.clock())
                .routes());
        routes.addAll(new LogRoutes(parts.directory(), parts.logs(), parts.feed(), streams).routes());
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
                .map(endpoints -> endpoints(endpoints, bodies, new EndpointLog(guard)))
                .orElseGet(NoEndpoints::routes));
        routes.addAll(new EventRoutes(parts.feed(), streams).routes());
        routes.addAll(new InfoRoutes(parts.workflows(), parts.policy(), parts.health(), parts.metrics()).routes());
        routes.addAll(new PageRoutes().routes());
        return routes;
    }

    private static List<Route> endpoints(EndpointParts parts, Bodies bodies, EndpointLog log) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new EndpointRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointImportRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointRequestRoutes(parts, bodies, log).routes());
        routes.addAll(new EndpointExplainRoutes(parts).routes());
        routes.addAll(new RunRoutes(parts).routes());
        return routes;
    }

    /** Where it listens. */
    public int port() {
        return javalin.port();
    }

    /** How many answers go on until their readers leave. */
    public int streams() {
        return streams.open();
    }

    /** Takes no more requests, and ends those that go on. */
    @Override
    public void close() {
        streams.close();
        javalin.stop();
    }
}
