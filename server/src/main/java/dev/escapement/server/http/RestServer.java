package dev.escapement.server.http;

import dev.escapement.server.StartException;
import dev.escapement.server.config.LoggingConfiguration;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.access.AccessFilter;
import dev.escapement.server.http.access.Authenticator;
import dev.escapement.server.http.access.TokensFile;
import dev.escapement.server.http.access.TrustedProxy;
import dev.escapement.server.http.endpoint.EndpointActionRoutes;
import dev.escapement.server.http.endpoint.EndpointImportRoutes;
import dev.escapement.server.http.endpoint.EndpointRouteContext;
import dev.escapement.server.http.endpoint.EndpointRoutes;
import dev.escapement.server.http.endpoint.EndpointRunRoutes;
import dev.escapement.server.http.execution.ExecutionLogRoutes;
import dev.escapement.server.http.execution.ExecutionRoutes;
import dev.escapement.server.http.notification.NotificationRoutes;
import dev.escapement.server.http.system.DashboardRoutes;
import dev.escapement.server.http.system.EventRoutes;
import dev.escapement.server.http.system.SessionRoutes;
import dev.escapement.server.http.system.SystemRoutes;
import dev.escapement.server.http.target.TargetRoutes;
import io.javalin.Javalin;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** The HTTP server with all routes of the API and of the dashboard. */
public record RestServer(
        String host,
        Javalin javalin,
        JournalFeed feed,
        ResponseStreams streams,
        Authenticator authenticator,
        Optional<TokensFile> tokensFile)
        implements AutoCloseable {

    /**
     * What the routes answer from.
     *
     * @param endpoints empty if there is no database that could store endpoints
     * @param auditRoutes those of the audit trail, or such that reject every request
     * @param notifications empty if this server sends none
     */
    public record Dependencies(
            ExecutionRoutes.Backend executions,
            Optional<EndpointRouteContext> endpoints,
            List<Route> auditRoutes,
            Optional<NotificationRoutes> notifications,
            SystemRoutes system,
            JournalFeed feed,
            InstantSource clock) {}

    /**
     * Starts to listen on the configured host.
     *
     * @param port 0 for any free one
     * @throws StartException if the address cannot be listened on
     */
    public static RestServer start(Settings settings, int port, Dependencies dependencies) {
        String host = settings.get(SettingsTable.HOST);
        Optional<TokensFile> tokensFile =
                settings.get(SettingsTable.TOKENS_FILE).map(TokensFile::new);
        Authenticator authenticator = createAuthenticator(settings, tokensFile);
        ResponseStreams streams = new ResponseStreams();
        RequestBodies bodies =
                new RequestBodies(settings.get(SettingsTable.MAX_REQUEST_SIZE), "setting max-request-size");
        Javalin javalin = JavalinFactory.create(
                routes(dependencies, authenticator, streams),
                DashboardRoutes.assets(),
                new AccessFilter(authenticator),
                bodies,
                dependencies.clock());
        try {
            // Javalin logs a page about an address in use; the exception says it in one line.
            LoggingConfiguration.runWithLoggerOff("io.javalin.Javalin", () -> javalin.start(host, port));
            return new RestServer(host, javalin, dependencies.feed(), streams, authenticator, tokensFile);
        } catch (RuntimeException failure) {
            streams.close();
            tokensFile.ifPresent(TokensFile::close);
            throw new StartException(
                    StartException.Reason.ADDRESS,
                    "cannot listen on %s port %d (%s): stop what uses it, or choose another with --port or --host"
                            .formatted(host, port, StartException.rootMessage(failure)),
                    failure);
        }
    }

    private static Authenticator createAuthenticator(Settings settings, Optional<TokensFile> tokensFile) {
        if (!settings.requiresToken()) {
            return Authenticator.open();
        }
        Authenticator shared = Authenticator.ofSharedToken(settings.token().value());
        Authenticator authenticator = tokensFile.map(shared::withPersonalTokens).orElse(shared);
        if (!authenticator.required()) {
            throw new IllegalStateException("a server that requires a token was started without one");
        }
        return authenticator.withProxy(new TrustedProxy(
                settings.get(SettingsTable.PROXY_USER_HEADER), settings.get(SettingsTable.PROXY_ADDRESSES)));
    }

    static List<Route> routes(Dependencies dependencies, Authenticator authenticator, ResponseStreams streams) {
        ExecutionRoutes.Backend executions = dependencies.executions();
        SystemRoutes system = dependencies.system();
        return Stream.of(
                        new ExecutionRoutes(executions).routes(),
                        new ExecutionLogRoutes(executions, dependencies.feed(), streams).routes(),
                        new TargetRoutes(executions, system.workflows(), system.policy()).routes(),
                        dependencies.endpoints().map(RestServer::endpointRoutes).orElseGet(EndpointRoutes::disabled),
                        dependencies.auditRoutes(),
                        dependencies
                                .notifications()
                                .map(NotificationRoutes::routes)
                                .orElseGet(NotificationRoutes::disabled),
                        new EventRoutes(dependencies.feed(), streams).routes(),
                        system.routes(),
                        new SessionRoutes(authenticator).routes(),
                        DashboardRoutes.routes())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Route> endpointRoutes(EndpointRouteContext endpoints) {
        return Stream.of(
                        new EndpointRoutes(endpoints).routes(),
                        new EndpointImportRoutes(endpoints, new Semaphore(1)).routes(),
                        new EndpointActionRoutes(endpoints).routes(),
                        new EndpointRunRoutes(endpoints).routes())
                .flatMap(List::stream)
                .toList();
    }

    public int port() {
        return javalin.port();
    }

    /** Returns the address at which this machine reaches the server. */
    public URI address() {
        boolean everyAddress = host.equals("0.0.0.0") || host.equals("::");
        String reachable = everyAddress ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + reachable + ":" + port());
    }

    /** Returns the address of the dashboard, with a code that logs a browser in once if there is a single token. */
    public URI loginAddress() {
        return address()
                .resolve(authenticator
                        .createLoginCode()
                        .map(code -> "/#code=" + code)
                        .orElse("/"));
    }

    /** Accepts no more requests and ends the open streams. */
    @Override
    public void close() {
        // Before the connections are closed, so that event streams end in order.
        feed.close();
        streams.close();
        javalin.stop();
        tokensFile.ifPresent(TokensFile::close);
    }
}
