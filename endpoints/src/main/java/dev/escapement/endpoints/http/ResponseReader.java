package dev.escapement.endpoints.http;

import dev.escapement.common.RetryAfterHeader;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;

/** Collects the response to a call and derives the result. {@link #toResult} may run while the body is still read. */
final class ResponseReader {

    private final String host;
    private final DispatchLimits limits;
    private final InstantSource clock;
    private final SecretRedactor redactor;
    private final ResponseBodyBuffer body;
    private volatile Optional<ResponseHead> head = Optional.empty();

    private record ResponseHead(int status, ResponseExcerpt excerpt, Optional<Duration> retryAfter) {}

    ResponseReader(String host, SecretRedactor redactor, DispatchLimits limits, InstantSource clock) {
        this.host = host;
        this.limits = limits;
        this.clock = clock;
        this.redactor = redactor;
        this.body = new ResponseBodyBuffer(
                ResponseExcerpt.maxBytesFor(limits.maxExcerptChars() + redactor.maxSecretLength()));
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

    /** Returns false if the body exceeds the limit. */
    boolean readBody(ByteBuffer chunk) {
        return body.add(chunk) <= limits.maxResponseBytes();
    }

    /** Returns the error that the status stands for; empty for 200 to 299. */
    Optional<CallError> findError() {
        int status = head.map(ResponseHead::status).orElse(0);
        if (status >= 200 && status <= 299) {
            return Optional.empty();
        }
        if (status < 200) {
            return Optional.of(
                    new CallError(Failure.BAD_ANSWER, host + " answered with status " + status + " and no final one"));
        }
        String hint = status >= 300 && status <= 399 ? ", a redirect, which is not followed; use the final URL" : "";
        return Optional.of(new CallError(Failure.STATUS, host + " answered with status " + status + hint));
    }

    /** Returns the error of a response that is too large; a failing status comes first. */
    CallError oversizeError() {
        return findError()
                .orElseGet(() -> new CallError(
                        Failure.TOO_LARGE,
                        "the response of " + host + " is longer than " + limits.maxResponseBytes() + " bytes"));
    }

    CallResult toResult(Optional<CallError> error) {
        Optional<ResponseHead> received = head;
        boolean complete =
                error.filter(problem -> problem.kind() != Failure.STATUS).isEmpty();
        return new CallResult(
                error.map(CallError::kind),
                received.map(ResponseHead::status),
                error.map(CallError::message).orElse(""),
                received.map(value -> value.excerpt().extract(body, complete, redactor, limits.maxExcerptChars()))
                        .orElse(""),
                body.count(),
                received.flatMap(ResponseHead::retryAfter));
    }

    /** Counts the bytes of a response body and keeps the first {@code maxKeptBytes}. */
    static final class ResponseBodyBuffer {

        private final int maxKeptBytes;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long count;

        ResponseBodyBuffer(int maxKeptBytes) {
            this.maxKeptBytes = maxKeptBytes;
        }

        /** Consumes the chunk and returns the number of bytes received so far. */
        synchronized long add(ByteBuffer chunk) {
            count += chunk.remaining();
            byte[] next = new byte[Math.min(chunk.remaining(), maxKeptBytes - kept.size())];
            chunk.get(next).position(chunk.limit());
            kept.writeBytes(next);
            return count;
        }

        synchronized long count() {
            return count;
        }

        synchronized byte[] keptBytes() {
            return kept.toByteArray();
        }
    }
}
