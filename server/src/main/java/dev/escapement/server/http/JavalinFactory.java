package dev.escapement.server.http;

import dev.escapement.endpoints.schedule.EndpointConflictException;
import dev.escapement.storage.problem.CommitOutcomeUnknownException;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.UnexpectedStorageException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes on a port. */
final class JavalinFactory {

    private static final Logger LOG = LoggerFactory.getLogger(JavalinFactory.class);
    private static final int MAX_THREADS = 32;
    private static final int MIN_THREADS = 4;
    private static final int THREAD_IDLE_MILLIS = 30_000;

    /** Under this name a refused method comes with those that are possible. */
    private static final String AVAILABLE_METHODS_KEY = "availableMethods";

    private JavalinFactory() {}

    static Javalin create(List<Route> routes, AccessFilter guard) {
        return Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.startupWatcherEnabled = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.http.prefer405over404 = true;
            config.http.generateEtags = false;
            config.router.ignoreTrailingSlashes = true;
            configureJetty(config);
            config.routes.before(guard::check);
            routes.forEach(route -> config.routes.addHttpHandler(route.method(), route.path(), route.handler()));
            // A probe that asks for the head alone must get the same answer; Jetty leaves out the body.
            routes.stream()
                    .filter(Route::supportsHead)
                    .forEach(route -> config.routes.addHttpHandler(HandlerType.HEAD, route.path(), route.handler()));
            config.routes.exception(HttpProblem.class, (problem, context) -> Responses.writeProblem(context, problem));
            config.routes.exception(HttpResponseException.class, JavalinFactory::handleHttpError);
            config.routes.exception(StorageException.class, JavalinFactory::handleStorageProblem);
            config.routes.exception(
                    EndpointConflictException.class,
                    (busy, context) -> Responses.writeProblem(
                            context, HttpProblem.unavailable(String.valueOf(busy.getMessage()))));
            config.routes.exception(KubernetesClientException.class, JavalinFactory::handleKubernetesError);
            config.routes.exception(Exception.class, JavalinFactory::handleUnexpectedError);
        });
    }

    private static void configureJetty(JavalinConfig config) {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, THREAD_IDLE_MILLIS);
        threads.setName("http");
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrorHandler());
            server.setStopTimeout(0);
        });
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyHttpConfiguration(JavalinFactory::configureHttp);
    }

    private static void configureHttp(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setIdleTimeout(ResponseStreams.READER_TIMEOUT_MILLIS);
        // A target's slashes come as %2F; nothing here looks up files by path.
        http.setUriCompliance(UriCompliance.from("RFC3986,AMBIGUOUS_PATH_SEPARATOR"));
    }

    private static void handleHttpError(HttpResponseException refused, Context context) {
        String what = context.req().getMethod() + " " + context.path();
        Optional.ofNullable(refused.getDetails().get(AVAILABLE_METHODS_KEY))
                .ifPresent(methods -> context.header("Allow", methods));
        String message = switch (refused.getStatus()) {
            case 404 -> "there is nothing at " + what + ": /openapi.yaml lists what there is";
            case 405 -> what + " is not possible: /openapi.yaml lists what is";
            default -> String.valueOf(refused.getMessage());
        };
        Responses.writeProblem(context, HttpProblem.of(refused.getStatus(), message));
    }

    private static void handleStorageProblem(StorageException problem, Context context) {
        LOG.warn("{} {}: {}", context.req().getMethod(), context.path(), problem.getMessage());
        if (problem instanceof UnexpectedStorageException) {
            handleUnexpectedError(problem, context);
            return;
        }
        String outcome = problem instanceof CommitOutcomeUnknownException
                ? "it is not known whether it was carried out: ask again, under the same name"
                : "nothing was changed: ask again in a moment";
        context.header("Retry-After", "1");
        Responses.writeProblem(context, HttpProblem.unavailable("the database does not answer now; " + outcome));
    }

    /** What the API server refuses is the asker's to mend, and its words say how; what it could not do is not. */
    private static void handleKubernetesError(KubernetesClientException refused, Context context) {
        LOG.warn("{} {}: {}", context.req().getMethod(), context.path(), refused.getMessage());
        Optional<ApiServerRejection> definite = ApiServerRejection.of(refused);
        if (definite.isPresent()) {
            Responses.writeProblem(
                    context,
                    HttpProblem.of(definite.get().code(), definite.get().message()));
            return;
        }
        context.header("Retry-After", "1");
        Responses.writeProblem(
                context,
                HttpProblem.unavailable(
                        "the API server does not answer now; it is not known whether it was carried out:"
                                + " ask again, under the same name"));
    }

    /** Whoever asks learns that it failed; why is in the log, where secrets of others are safe. */
    private static void handleUnexpectedError(Exception failure, Context context) {
        LOG.error("{} {} failed", context.req().getMethod(), context.path(), failure);
        Responses.writeProblem(
                context,
                HttpProblem.of(
                        500, "the server could not answer; nothing is known to have been changed. Its log says why"));
    }
}
