package dev.escapement.server.http.endpoint;

import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.Route;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.stream.Stream;

/** Responds with 501 to all requests about endpoints, for an operator without a database. */
public final class DisabledEndpointRoutes {

    private static final Handler REJECT = DisabledEndpointRoutes::reject;

    private DisabledEndpointRoutes() {}

    public static List<Route> routes() {
        return Stream.of("/api/v1/endpoints", "/api/v1/endpoints/*", "/api/v1/runs", "/api/v1/runs/*")
                .flatMap(path -> Stream.of(
                        Route.get(path, REJECT),
                        Route.post(path, REJECT),
                        Route.put(path, REJECT),
                        Route.patch(path, REJECT),
                        Route.delete(path, REJECT)))
                .toList();
    }

    private static void reject(Context context) {
        throw HttpProblem.of(
                501,
                "endpoints need a database, and this operator has none: start it with --database"
                        + " jdbc:postgresql://host/name");
    }
}
