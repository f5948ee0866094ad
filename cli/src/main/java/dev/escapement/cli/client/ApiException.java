package dev.escapement.cli.client;

import java.util.ArrayList;
import java.util.List;

/** A request that did not get what it asked for. The message is for a person and safe to print. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final ArrayList<String> problems;

    /** What went wrong, as far as a caller can act on it. */
    public enum Kind {
        /** Nobody answers. The request may have arrived all the same. */
        UNREACHABLE,
        /** No token, or not the right one. */
        UNAUTHORIZED,
        NOT_FOUND,
        /** The name is taken, or somebody else was quicker. */
        CONFLICT,
        /** The request itself is wrong. */
        INVALID_REQUEST,
        /** The server has a problem, or is none of ours. */
        SERVER_ERROR
    }

    public ApiException(Kind kind, String message) {
        this(kind, message, List.of(message));
    }

    /**
     * With what is wrong one by one.
     *
     * @param problems a line each, safe to print
     */
    ApiException(Kind kind, String message, List<String> problems) {
        super(message);
        this.kind = kind;
        this.problems = new ArrayList<>(problems);
    }

    public Kind kind() {
        return kind;
    }

    /** What is wrong, one by one, where the server says so line by line. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Whether it is of this kind. */
    public boolean is(Kind asked) {
        return kind == asked;
    }

    /** As the statuses of HTTP say it. */
    static Kind kindOf(int status) {
        return switch (status) {
            case 401, 403, 407 -> Kind.UNAUTHORIZED;
            case 404, 410 -> Kind.NOT_FOUND;
            case 409, 412 -> Kind.CONFLICT;
            default -> status >= 400 && status < 500 && status != 429 ? Kind.INVALID_REQUEST : Kind.SERVER_ERROR;
        };
    }
}
