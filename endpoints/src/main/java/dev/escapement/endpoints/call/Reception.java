package dev.escapement.endpoints.call;

import dev.escapement.endpoints.call.Answer.Failure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;

/** Takes in the answer to a call and judges it. May be asked while it still takes in. */
final class Reception {

    private final String host;
    private final DispatchLimits limits;
    private final InstantSource clock;
    private final Redaction redaction;
    private final Body body;
    private volatile Optional<Head> head = Optional.empty();

    /** What came before the body. */
    private record Head(int status, Excerpt excerpt, Optional<Duration> retryAfter) {}

    Reception(String host, Redaction redaction, DispatchLimits limits, InstantSource clock) {
        this.host = host;
        this.limits = limits;
        this.clock = clock;
        this.redaction = redaction;
        this.body = new Body(Excerpt.bytesFor(limits.excerptChars() + redaction.longest()));
    }

    String host() {
        return host;
    }

    void takeHead(Response response) {
        head = Optional.of(new Head(
                response.getStatus(),
                new Excerpt(header(response, HttpHeader.CONTENT_TYPE), header(response, HttpHeader.CONTENT_ENCODING)),
                RetryAfter.parse(header(response, HttpHeader.RETRY_AFTER), clock.instant())));
    }

    private static String header(Response response, HttpHeader name) {
        return Objects.requireNonNullElse(response.getHeaders().get(name), "");
    }

    /** Returns whether there may be more. */
    boolean takeBody(ByteBuffer chunk) {
        return body.add(chunk) <= limits.responseBytes();
    }

    /** What is wrong with an answer that is complete; empty if nothing is. */
    Optional<Flaw> flaw() {
        int status = head.map(Head::status).orElse(0);
        if (status >= 200 && status <= 299) {
            return Optional.empty();
        }
        if (status < 200) {
            return Optional.of(
                    new Flaw(Failure.BAD_ANSWER, host + " answered with status " + status + " and no other"));
        }
        String hint = status >= 300 && status <= 399 ? ", a redirect, which is not followed; use the final URL" : "";
        return Optional.of(new Flaw(Failure.STATUS, host + " answered with status " + status + hint));
    }

    /** What is wrong with an answer that does not end: its status already, or its length. */
    Flaw flawOfEndless() {
        return flaw().orElseGet(() -> new Flaw(
                Failure.TOO_LARGE, "the answer of " + host + " is longer than " + limits.responseBytes() + " bytes"));
    }

    /** What came, with what is wrong with it. */
    Answer answer(Optional<Flaw> flaw) {
        Optional<Head> known = head;
        return new Answer(
                flaw.map(Flaw::kind),
                known.map(Head::status),
                flaw.map(Flaw::words).orElse(""),
                known.map(found -> found.excerpt().of(body, redaction, limits.excerptChars()))
                        .orElse(""),
                body.count(),
                known.flatMap(Head::retryAfter));
    }
}
