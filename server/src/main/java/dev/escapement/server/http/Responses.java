package dev.escapement.server.http;

import dev.escapement.common.Json;
import io.javalin.http.Context;

/** Writes JSON responses. */
public final class Responses {

    private Responses() {}

    public static void writeJson(Context context, int status, Object document) {
        context.status(status).contentType("application/json").result(Json.writeBytes(document));
    }

    static void writeProblem(Context context, HttpProblem problem) {
        writeJson(context, problem.status(), problem.toDocument());
    }
}
