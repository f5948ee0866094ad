package dev.escapement.endpoints.http;

import dev.escapement.endpoints.http.CallResult.Failure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;

/** Takes in the answer to a call and judges it. May be asked while it still takes in. */
final class ResponseReader {

    private final String host;
    private final DispatchLimits limits;
    private final InstantSource clock;
    private final SecretRedactor redactor;
    private final ResponseBodyBuffer body;
    private volatile Optional<ResponseHead> head = Optional.empty();

    /** What came before the body. */
    private record ResponseHead(int status, ResponseExcerpt excerpt, Optional<Duration> retryAfter) {}

    ResponseReader(String host, SecretRedactor redaction, DispatchLimits limits, InstantSource clock) {
        this.host = host;
        this.limits = limits;
        this.clock = clock;
        this.redactor = redaction;
        this.body = new ResponseBodyBuffer(
                ResponseExcerpt.maxBytesFor(limits.maxExcerptChars() + redaction.maxSecretLength()));
    }

    String host() {
        return host;
    }

    void readHead(Response response) {
        head = Optional.of(new ResponseHead(
                response.getStatus(),
                new ResponseExcerpt(
                        header(response, HttpHeader.CONTENT_TYPE), header(response, HttpHeader.CONTENT_ENCODING)),
                RetryAfterHeader.parse(header(response, HttpHeader.RETRY_AFTER), clock.instant())));
    }

    private static String header(Response response, HttpHeader name) {
        return Objects.requireNonNullElse(response.getHeaders().get(name), "");
    }

    /** Returns whether there may be more. */
    boolean readBody(ByteBuffer chunk) {
        return body.add(chunk) <= limits.maxResponseBytes();
    }

    /** What is wrong with an answer that is complete; empty if nothing is. */
    Optional<CallError> findError() {
        int status = head.map(ResponseHead::status).orElse(0);
        if (status >= 200 && status <= 299) {
            return Optional.empty();
        }
        if (status < 200) {
            return Optional.of(
                    new CallError(Failure.BAD_ANSWER, host + " answered with status " + status + " and no other"));
        }
        String hint = status >= 300 && status <= 399 ? ", a redirect, which is not followed; use the final URL" : "";
        return Optional.of(new CallError(Failure.STATUS, host + " answered with status " + status + hint));
    }

    /** What is wrong with an answer that does not end: its status already, or its length. */
    CallError oversizeError() {
        return findError()
                .orElseGet(() -> new CallError(
                        Failure.TOO_LARGE,
                        "the answer of " + host + " is longer than " + limits.maxResponseBytes() + " bytes"));
    }

    /** What came, with what is wrong with it. */
    CallResult toResult(Optional<CallError> flaw) {
        Optional<ResponseHead> known = head;
        return new CallResult(
                flaw.map(CallError::kind),
                known.map(ResponseHead::status),
                flaw.map(CallError::message).orElse(""),
                known.map(found -> found.excerpt().extract(body, redactor, limits.maxExcerptChars()))
                        .orElse(""),
                body.count(),
                known.flatMap(ResponseHead::retryAfter));
    }
}
