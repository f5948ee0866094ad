package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiException.Kind;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Converts responses and connection errors into JSON or {@link ApiException}. */
record ApiResponseParser(ServerAddress address) {

    static final int MAX_ERROR_LENGTH = 64 * 1024;
    static final String OUTCOME_UNKNOWN = "the request may or may not have been processed";

    private static final int MAX_MESSAGE_LENGTH = 8_000;
    private static final int MAX_PROBLEM_LENGTH = 1_000;
    private static final int MAX_EXCERPT_LENGTH = 120;

    /** @throws ApiException unless the status is 2xx and the body a JSON object */
    JsonNode read(int status, byte[] body) {
        if (status < 200 || status > 299) {
            throw toException(status, body);
        }
        return parseObject(body).orElseThrow(() -> unexpectedResponse(status, body));
    }

    ApiException toException(int status, byte[] body) {
        String text = parseObject(body)
                .map(document -> ClientJson.text(document, "/error/message"))
                .orElse("");
        String message = SafeText.sanitize(text, MAX_MESSAGE_LENGTH);
        Kind kind = ApiException.kindOf(status);
        if (status == 403) {
            // The message names the missing right.
            return new ApiException(kind, "%s refused the request: %s".formatted(address, message));
        }
        if (kind == Kind.UNAUTHORIZED) {
            return new ApiException(
                    kind,
                    "%s rejected the request as unauthorized%s; give the server's token in ESCAPEMENT_TOKEN or with --token-file"
                            .formatted(address, message.isEmpty() ? "" : " (" + message + ")"));
        }
        List<String> problems = text.lines()
                .map(line -> SafeText.sanitize(line, MAX_PROBLEM_LENGTH))
                .filter(line -> !line.isEmpty())
                .toList();
        return message.isEmpty() ? unexpectedResponse(status, body) : new ApiException(kind, message, problems);
    }

    /** Another program listens there, or a proxy responds for the server. */
    private ApiException unexpectedResponse(int status, byte[] body) {
        String excerpt = new String(body, 0, Math.min(body.length, MAX_ERROR_LENGTH), StandardCharsets.UTF_8);
        return new ApiException(
                Kind.SERVER_ERROR,
                "unexpected response from %s (HTTP %d; address from %s): not an Escapement server? Response body: %s"
                        .formatted(
                                address,
                                status,
                                address.origin(),
                                body.length == 0 ? "empty" : SafeText.quote(excerpt, MAX_EXCERPT_LENGTH)));
    }

    ApiException toException(Throwable connectionError) {
        if (connectionError instanceof ConnectException || connectionError instanceof HttpConnectTimeoutException) {
            return new ApiException(
                    Kind.UNREACHABLE,
                    "no Escapement server at %s (address from %s): start one with './escapement up', or name another with --server"
                            .formatted(address, address.origin()));
        }
        String message = Optional.ofNullable(connectionError.getMessage())
                .orElse(connectionError.getClass().getSimpleName());
        return new ApiException(
                Kind.UNREACHABLE,
                "connection to %s lost (%s); %s"
                        .formatted(address, SafeText.sanitize(message, MAX_EXCERPT_LENGTH), OUTCOME_UNKNOWN));
    }

    private static Optional<JsonNode> parseObject(byte[] body) {
        try {
            return Optional.ofNullable(Json.mapper().readTree(body)).filter(JsonNode::isObject);
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }
}
