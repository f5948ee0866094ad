package dev.escapement.server.http;

import dev.escapement.server.document.JsonWriter;
import io.javalin.http.Context;

/** Writes JSON responses. */
public final class Responses {

    private Responses() {}

    public static void writeJson(Context context, int status, Object tree) {
        context.status(status).contentType("application/json").result(JsonWriter.toBytes(tree));
    }

    static void writeProblem(Context context, HttpProblem problem) {
        writeJson(context, problem.status(), problem.toDocument());
    }
}
