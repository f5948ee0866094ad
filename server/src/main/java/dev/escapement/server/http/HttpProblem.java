package dev.escapement.server.http;

import dev.escapement.api.error.ErrorBody;
import dev.escapement.common.Json;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** An error response. The message names the object, the rule, the value and what to do. */
public final class HttpProblem extends RuntimeException {

    private static final int MAX_PROBLEMS = 1_000;

    private final int status;
    private final String code;
    private final List<String> problems;

    HttpProblem(int status, String code, String message, String... problems) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.problems = List.of(problems);
    }

    public static HttpProblem badRequest(String message) {
        return new HttpProblem(400, "BadRequest", message);
    }

    /** Lists all problems of a document, joined in the message and separately for programs. */
    public static HttpProblem invalidDocument(List<String> problems) {
        List<String> shown = new ArrayList<>(problems.subList(0, Math.min(MAX_PROBLEMS, problems.size())));
        if (shown.size() < problems.size()) {
            shown.add("and %d more problems".formatted(problems.size() - shown.size()));
        }
        return new HttpProblem(400, "BadRequest", String.join("\n", shown), shown.toArray(String[]::new));
    }

    /** The request has no valid token. */
    public static HttpProblem unauthorized(String message) {
        return new HttpProblem(401, "Unauthorized", message);
    }

    public static HttpProblem forbidden(String message) {
        return new HttpProblem(403, "Forbidden", message);
    }

    public static HttpProblem notFound(String message) {
        return new HttpProblem(404, "NotFound", message);
    }

    public static HttpProblem alreadyExists(String message) {
        return new HttpProblem(409, "AlreadyExists", message);
    }

    /** The current state of the object does not allow the request. */
    public static HttpProblem stateConflict(String message) {
        return new HttpProblem(409, "Conflict", message);
    }

    /** Returns empty if the failure is no rejection by the API server: then the request may have been executed. */
    public static Optional<HttpProblem> ofRejection(KubernetesClientException failure) {
        int code = failure.getCode();
        boolean rejected = code >= 400 && code < 500 && code != 401 && code != 429;
        String message = Optional.ofNullable(failure.getStatus())
                .flatMap(status -> Optional.ofNullable(status.getMessage()))
                .orElseGet(() -> String.valueOf(failure.getMessage()));
        return rejected ? Optional.of(of(code, "the API server rejected it: " + message)) : Optional.empty();
    }

    public static HttpProblem of(int status, String message) {
        String code = switch (status) {
            case 400 -> "BadRequest";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 413 -> "RequestTooLarge";
            case 501 -> "NotImplemented";
            case 503 -> "Unavailable";
            default -> status < 500 ? "Refused" : "InternalError";
        };
        return new HttpProblem(status, code, message);
    }

    ErrorBody toDocument() {
        return ErrorBody.of(status, code, String.valueOf(getMessage()), problems);
    }

    void respond(Context context) {
        ApiRequest.writeJson(context, status, toDocument());
    }

    /** Writes the response without Javalin, for requests that do not reach a route. */
    public void write(Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(true, ByteBuffer.wrap(Json.writeBytes(toDocument())), callback);
    }
}
