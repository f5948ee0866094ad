package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiException.Kind;
import dev.escapement.governor.SafeText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What the answers of a server mean. */
final class ApiResponseParser {

    static final int MAX_ERROR_LENGTH = 64 * 1024;

    private static final int MAX_MESSAGE_LENGTH = 8_000;
    private static final int MAX_PROBLEM_LENGTH = 1_000;
    private static final int MAX_EXCERPT_LENGTH = 120;

    private final ServerAddress address;

    ApiResponseParser(ServerAddress address) {
        this.address = address;
    }

    /** The document, if it is one. */
    JsonNode read(int status, byte[] body) {
        if (status < 200 || status > 299) {
            throw toException(status, body);
        }
        return parseObject(body).orElseThrow(() -> unexpectedResponse(status, body));
    }

    /** What an answer other than success says. */
    ApiException toException(int status, byte[] body) {
        String said = parseObject(body)
                .map(document -> ClientJson.text(document, "/error/message"))
                .orElse("");
        String message = SafeText.sanitize(said, MAX_MESSAGE_LENGTH);
        Kind kind = ApiException.kindOf(status);
        if (kind == Kind.UNAUTHORIZED) {
            return new ApiException(kind, unauthorizedMessage(message));
        }
        return message.isEmpty()
                ? unexpectedResponse(status, body)
                : new ApiException(kind, message, splitProblems(said));
    }

    private static List<String> splitProblems(String said) {
        return said.lines()
                .map(line -> SafeText.sanitize(line, MAX_PROBLEM_LENGTH))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private String unauthorizedMessage(String message) {
        return "%s refuses this caller%s; give the server's token in ESCAPEMENT_TOKEN or with --token-file"
                .formatted(address, message.isEmpty() ? "" : " (" + message + ")");
    }

    /** Somebody else listens there, or something between answers in the server's place. */
    private ApiException unexpectedResponse(int status, byte[] body) {
        String excerpt = new String(body, 0, Math.min(body.length, MAX_ERROR_LENGTH), StandardCharsets.UTF_8);
        return new ApiException(
                Kind.SERVER_ERROR,
                "what answers at %s (%s) is no Escapement, or one in trouble: status %d and %s"
                        .formatted(
                                address,
                                address.origin(),
                                status,
                                body.length == 0 ? "no text" : SafeText.quote(excerpt, MAX_EXCERPT_LENGTH)));
    }

    /** What a connection that failed means. */
    ApiException toException(Throwable cause) {
        boolean nobody = cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
        return new ApiException(Kind.UNREACHABLE, nobody ? unreachableMessage() : connectionLostMessage(cause));
    }

    private String unreachableMessage() {
        return "no Escapement at %s (%s) — start one with './escapement up', or name another with --server"
                .formatted(address, address.origin());
    }

    private String connectionLostMessage(Throwable cause) {
        String why =
                Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
        return "the connection to %s was lost (%s); it is not known whether it did what it was asked"
                .formatted(address, SafeText.sanitize(why, MAX_EXCERPT_LENGTH));
    }

    private static Optional<JsonNode> parseObject(byte[] body) {
        try {
            return Optional.ofNullable(ClientJson.read(body)).filter(JsonNode::isObject);
        } catch (IOException noJson) {
            return Optional.empty();
        }
    }
}
