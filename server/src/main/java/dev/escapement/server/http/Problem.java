package dev.escapement.server.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An answer that is not what was asked for. The message names the object, the rule and the value, and what to do. */
final class Problem extends RuntimeException {

    private final int status;
    private final String code;
    private final List<String> problems;

    private Problem(int status, String code, String message) {
        this(status, code, message, List.of());
    }

    private Problem(int status, String code, String message, List<String> problems) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.problems = problems;
    }

    static Problem badRequest(String message) {
        return new Problem(400, "BadRequest", message);
    }

    /** Everything that is wrong with a document, a line each, and each for itself for programs. */
    static Problem badDocument(List<String> problems) {
        return new Problem(400, "BadRequest", String.join("\n", problems), List.copyOf(problems));
    }

    static Problem unauthorized(String message) {
        return new Problem(401, "Unauthorized", message);
    }

    static Problem forbidden(String message) {
        return new Problem(403, "Forbidden", message);
    }

    static Problem notFound(String message) {
        return new Problem(404, "NotFound", message);
    }

    static Problem conflict(String message) {
        return new Problem(409, "AlreadyExists", message);
    }

    /** It could be done, but not as things are. */
    static Problem notNow(String message) {
        return new Problem(409, "Conflict", message);
    }

    static Problem tooLarge(String message) {
        return new Problem(413, "RequestTooLarge", message);
    }

    static Problem unsupportedType(String message) {
        return new Problem(415, "UnsupportedMediaType", message);
    }

    static Problem unavailable(String message) {
        return new Problem(503, "Unavailable", message);
    }

    static Problem of(int status, String message) {
        String code = switch (status) {
            case 400 -> "BadRequest";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 413 -> "RequestTooLarge";
            case 501 -> "NotImplemented";
            case 503 -> "Unavailable";
            default -> status < 500 ? "Refused" : "InternalError";
        };
        return new Problem(status, code, message);
    }

    int status() {
        return status;
    }

    Map<String, Object> document() {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("status", status);
        error.put("code", code);
        error.put("message", String.valueOf(getMessage()));
        if (!problems.isEmpty()) {
            error.put("problems", problems);
        }
        return Map.of("error", error);
    }
}
