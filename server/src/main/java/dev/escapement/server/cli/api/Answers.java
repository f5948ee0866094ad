package dev.escapement.server.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.governor.SafeText;
import dev.escapement.server.cli.api.ApiFailure.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What the answers of a server mean. */
final class Answers {

    static final int LONGEST_ERROR = 64 * 1024;

    private static final int LONGEST_MESSAGE = 8_000;
    private static final int LONGEST_PROBLEM = 1_000;
    private static final int LONGEST_EXCERPT = 120;

    private final ServerAddress address;

    Answers(ServerAddress address) {
        this.address = address;
    }

    /** The document, if it is one. */
    JsonNode read(int status, byte[] body) {
        if (status < 200 || status > 299) {
            throw failure(status, body);
        }
        return parse(body).orElseThrow(() -> stranger(status, body));
    }

    /** What an answer other than success says. */
    ApiFailure failure(int status, byte[] body) {
        String said = parse(body)
                .map(document -> Json.text(document, "/error/message"))
                .orElse("");
        String message = SafeText.sanitize(said, LONGEST_MESSAGE);
        Kind kind = ApiFailure.kindOf(status);
        if (kind == Kind.UNAUTHORIZED) {
            return new ApiFailure(kind, unauthorized(message));
        }
        return message.isEmpty() ? stranger(status, body) : new ApiFailure(kind, message, problems(said));
    }

    private static List<String> problems(String said) {
        return said.lines()
                .map(line -> SafeText.sanitize(line, LONGEST_PROBLEM))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private String unauthorized(String message) {
        return "%s refuses this caller%s; give the server's token in ESCAPEMENT_TOKEN or with --token-file"
                .formatted(address, message.isEmpty() ? "" : " (" + message + ")");
    }

    /** Somebody else listens there, or something between answers in the server's place. */
    private ApiFailure stranger(int status, byte[] body) {
        String excerpt = new String(body, 0, Math.min(body.length, LONGEST_ERROR), StandardCharsets.UTF_8);
        return new ApiFailure(
                Kind.SERVER_ERROR,
                "what answers at %s (%s) is no Escapement, or one in trouble: status %d and %s"
                        .formatted(
                                address,
                                address.origin(),
                                status,
                                body.length == 0 ? "no text" : SafeText.quote(excerpt, LONGEST_EXCERPT)));
    }

    /** What a connection that failed means. */
    ApiFailure failure(Throwable cause) {
        boolean nobody = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
        return new ApiFailure(Kind.UNREACHABLE, nobody ? nobody() : lost(cause));
    }

    private String nobody() {
        return "no Escapement at %s (%s) — start one with './escapement up', or name another with --server"
                .formatted(address, address.origin());
    }

    private String lost(Throwable cause) {
        String why =
                Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
        return "the connection to %s was lost (%s); it is not known whether it did what it was asked"
                .formatted(address, SafeText.sanitize(why, LONGEST_EXCERPT));
    }

    private static Optional<JsonNode> parse(byte[] body) {
        try {
            return Optional.ofNullable(Json.read(body)).filter(JsonNode::isObject);
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }
}
