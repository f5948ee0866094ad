package dev.escapement.cli.client;

import java.util.ArrayList;
import java.util.List;

/** A request that failed. The message is safe to print. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final ArrayList<String> problems;

    /** Causes that a caller can act on. */
    public enum Kind {
        /** No response; the server may have processed the request. */
        UNREACHABLE,
        UNAUTHORIZED,
        NOT_FOUND,
        CONFLICT,
        INVALID_REQUEST,
        /** A server error, or the address is not an Escapement server. */
        SERVER_ERROR
    }

    public ApiException(Kind kind, String message) {
        this(kind, message, List.of(message));
    }

    /** @param problems one line each, safe to print */
    ApiException(Kind kind, String message, List<String> problems) {
        super(message);
        this.kind = kind;
        this.problems = new ArrayList<>(problems);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the problems that the server listed line by line, or the message. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    public boolean is(Kind other) {
        return kind == other;
    }

    /** Whether the same request may succeed later: the server may be restarting. */
    public boolean isTransient() {
        return is(Kind.UNREACHABLE) || is(Kind.SERVER_ERROR);
    }

    static Kind kindOf(int httpStatus) {
        return switch (httpStatus) {
            case 401, 403, 407 -> Kind.UNAUTHORIZED;
            case 404, 410 -> Kind.NOT_FOUND;
            case 409, 412 -> Kind.CONFLICT;
            default ->
                httpStatus >= 400 && httpStatus < 500 && httpStatus != 429 ? Kind.INVALID_REQUEST : Kind.SERVER_ERROR;
        };
    }
}
