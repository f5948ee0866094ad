package dev.escapement.server.http;

import dev.escapement.endpoints.schedule.EndpointService.EndpointConflictException;
import dev.escapement.server.http.access.AccessFilter;
import dev.escapement.server.http.transport.Asset;
import dev.escapement.server.http.transport.HttpTransport;
import dev.escapement.storage.problem.StorageException;
import dev.escapement.storage.problem.StorageException.CommitOutcomeUnknownException;
import dev.escapement.storage.problem.StorageException.UnexpectedStorageException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the Javalin server: routes, error responses and limits. */
final class JavalinFactory {

    private static final Logger LOG = LoggerFactory.getLogger(JavalinFactory.class);
    private static final String OUTCOME_UNKNOWN =
            "it is unknown whether the request took effect: retry with the same name";

    /** Detail of Javalin's exception with the allowed methods. */
    private static final String AVAILABLE_METHODS_KEY = "availableMethods";

    private JavalinFactory() {}

    /** @param assets files that are served without a route, by path */
    static Javalin create(
            List<Route> routes,
            Map<String, Asset> assets,
            AccessFilter accessFilter,
            RequestBodies bodies,
            InstantSource clock) {
        return Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.startupWatcherEnabled = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.http.prefer405over404 = true;
            config.http.generateEtags = false;
            config.router.ignoreTrailingSlashes = true;
            List<String> paths = routes.stream().map(Route::path).toList();
            HttpTransport.configure(config, accessFilter, assets, bodies::limitOfPath, paths);
            config.jetty.modifyServer(server -> server.setErrorHandler(new JsonErrorHandler()));
            for (Route route : routes) {
                Handler handler = context -> route.handle(new ApiRequest(context, bodies, clock));
                config.routes.addHttpHandler(route.method(), route.path(), handler);
                if (route.supportsHead()) {
                    // HEAD gets the response of GET; Jetty omits the body.
                    config.routes.addHttpHandler(HandlerType.HEAD, route.path(), handler);
                }
            }
            config.routes.exception(HttpProblem.class, HttpProblem::respond);
            config.routes.exception(
                    HttpResponseException.class, (failure, context) -> handleHttpError(failure, context, routes));
            config.routes.exception(StorageException.class, JavalinFactory::handleStorageProblem);
            config.routes.exception(EndpointConflictException.class, (busy, context) -> {
                HttpProblem.of(503, String.valueOf(busy.getMessage())).respond(context);
            });
            config.routes.exception(KubernetesClientException.class, JavalinFactory::handleKubernetesError);
            config.routes.exception(Exception.class, JavalinFactory::handleUnexpectedError);
        });
    }

    private static void handleHttpError(HttpResponseException failure, Context context, List<Route> routes) {
        String request = context.req().getMethod() + " " + context.path();
        Optional.ofNullable(failure.getDetails().get(AVAILABLE_METHODS_KEY))
                .map(methods -> methodsOfExactPath(routes, context.path()).orElse(methods))
                .ifPresent(methods -> context.header("Allow", methods));
        String message = switch (failure.getStatus()) {
            case 404 -> "no route for " + request + ": /openapi.yaml lists all routes";
            case 405 -> "method not allowed: " + request + "; /openapi.yaml lists all routes";
            default -> String.valueOf(failure.getMessage());
        };
        HttpProblem.of(failure.getStatus(), message).respond(context);
    }

    /**
     * Javalin also lists the methods of paths with parameters that match, such as those of an endpoint named import.
     */
    private static Optional<String> methodsOfExactPath(List<Route> routes, String path) {
        String methods = routes.stream()
                .filter(route -> route.path().equals(path))
                .flatMap(route -> route.supportsHead()
                        ? Stream.of(route.method().name(), HandlerType.HEAD.name())
                        : Stream.of(route.method().name()))
                .collect(Collectors.joining(", "));
        return methods.isEmpty() ? Optional.empty() : Optional.of(methods);
    }

    private static void handleStorageProblem(StorageException problem, Context context) {
        LOG.warn("{} {} failed: {}", context.req().getMethod(), context.path(), problem.getMessage());
        if (problem instanceof UnexpectedStorageException) {
            handleUnexpectedError(problem, context);
        } else {
            boolean unknown = problem instanceof CommitOutcomeUnknownException;
            String outcome = unknown ? OUTCOME_UNKNOWN : "nothing was changed: retry";
            writeRetryLater(context, "the database does not answer; " + outcome);
        }
    }

    private static void handleKubernetesError(KubernetesClientException failure, Context context) {
        LOG.warn("{} {} failed: {}", context.req().getMethod(), context.path(), failure.getMessage());
        HttpProblem.ofRejection(failure)
                .ifPresentOrElse(
                        rejected -> rejected.respond(context),
                        () -> writeRetryLater(context, "the API server does not answer; " + OUTCOME_UNKNOWN));
    }

    private static void writeRetryLater(Context context, String message) {
        context.header("Retry-After", "1");
        HttpProblem.of(503, message).respond(context);
    }

    /** The cause is only logged, because it may contain secrets. */
    private static void handleUnexpectedError(Exception failure, Context context) {
        LOG.error("{} {} failed", context.req().getMethod(), context.path(), failure);
        String message = "internal error; the request may or may not have taken effect; the server log has the cause";
        HttpProblem.of(500, message).respond(context);
    }

    /** Writes the errors of Jetty itself, such as a malformed request line, in the form of all other errors. */
    private static final class JsonErrorHandler extends ErrorHandler {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            int status = response.getStatus() == 0 ? 400 : response.getStatus();
            String message = Optional.ofNullable(request.getAttribute(ERROR_MESSAGE))
                    .map(Object::toString)
                    .filter(text -> status < 500)
                    .orElse("internal error");
            HttpProblem.of(status, message).write(response, callback);
            return true;
        }
    }
}
