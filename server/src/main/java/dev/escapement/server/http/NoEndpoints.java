package dev.escapement.server.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.stream.Stream;

/** The answers about endpoints where there is no database to keep them in. */
final class NoEndpoints {

    private static final Handler ANSWER = NoEndpoints::refuse;

    private NoEndpoints() {}

    static List<Route> routes() {
        return Stream.of("/api/v1/endpoints", "/api/v1/endpoints/*", "/api/v1/runs", "/api/v1/runs/*")
                .flatMap(path -> Stream.of(
                        Route.get(path, ANSWER),
                        Route.post(path, ANSWER),
                        Route.put(path, ANSWER),
                        Route.patch(path, ANSWER),
                        Route.delete(path, ANSWER)))
                .toList();
    }

    private static void refuse(Context context) {
        throw Problem.of(
                501,
                "endpoints are kept in a database, and this operator has none: start it with --database"
                        + " jdbc:postgresql://host/name to schedule them");
    }
}
