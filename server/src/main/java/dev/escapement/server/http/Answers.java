package dev.escapement.server.http;

import dev.escapement.server.text.Json;
import io.javalin.http.Context;

/** How answers are written. */
final class Answers {

    private Answers() {}

    static void json(Context context, int status, Object tree) {
        context.status(status).contentType("application/json").result(Json.bytes(tree));
    }

    static void problem(Context context, Problem problem) {
        json(context, problem.status(), problem.document());
    }
}
