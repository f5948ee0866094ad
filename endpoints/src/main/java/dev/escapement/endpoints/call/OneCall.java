package dev.escapement.endpoints.call;

import dev.escapement.endpoints.call.Answer.Failure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to one call and says what came of it, once: whoever comes first (the answer, a bound, the timeout, the end of
 * the program) decides.
 */
final class OneCall implements Response.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(OneCall.class);

    private final String host;
    private final DispatchLimits limits;
    private final InstantSource clock;
    private final Redaction redaction;
    private final Body body;
    private final Consumer<Answer> done;
    private final Consumer<OneCall> ended;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile Scheduler.Task watch = () -> false;
    private volatile Optional<Head> head = Optional.empty();

    /** What came before the body. */
    private record Head(int status, Excerpt excerpt, Optional<Duration> retryAfter) {}

    OneCall(
            String host,
            Redaction redaction,
            DispatchLimits limits,
            InstantSource clock,
            Consumer<Answer> done,
            Consumer<OneCall> ended) {
        this.host = host;
        this.limits = limits;
        this.clock = clock;
        this.redaction = redaction;
        this.body = new Body(Excerpt.bytesFor(limits.excerptChars() + redaction.longest()));
        this.done = done;
        this.ended = ended;
    }

    /** The timer to cancel when it is over. */
    void watchedBy(Scheduler.Task task) {
        watch = task;
        if (told.get()) {
            task.cancel();
        }
    }

    @Override
    public void onHeaders(Response response) {
        head = Optional.of(new Head(
                response.getStatus(),
                new Excerpt(header(response, HttpHeader.CONTENT_TYPE), header(response, HttpHeader.CONTENT_ENCODING)),
                RetryAfter.parse(header(response, HttpHeader.RETRY_AFTER), clock.instant())));
    }

    private static String header(Response response, HttpHeader name) {
        return Objects.requireNonNullElse(response.getHeaders().get(name), "");
    }

    @Override
    public void onContent(Response response, ByteBuffer chunk) {
        if (body.add(chunk) > limits.responseBytes()) {
            tell(tooLarge());
            var unused = response.abort(new IllegalStateException("the answer is too large"));
        }
    }

    @Override
    public void onComplete(Result result) {
        if (result.isFailed()) {
            tell(Failures.of(result.getFailure(), host));
        } else {
            tell(flawOfStatus());
        }
    }

    private Optional<Flaw> flawOfStatus() {
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

    private Optional<Flaw> tooLarge() {
        Optional<Flaw> status = flawOfStatus();
        return status.isPresent()
                ? status
                : Optional.of(new Flaw(
                        Failure.TOO_LARGE,
                        "the answer of " + host + " is longer than " + limits.responseBytes() + " bytes"));
    }

    /** Tells what came of it, unless that was told before; true if this was the first time. */
    boolean tell(Flaw flaw) {
        return tell(Optional.of(flaw));
    }

    private boolean tell(Optional<Flaw> flaw) {
        if (!told.compareAndSet(false, true)) {
            return false;
        }
        watch.cancel();
        ended.accept(this);
        try {
            done.accept(answer(flaw));
        } catch (RuntimeException bug) {
            LOG.error("The listener of a call to {} failed; what came of the call may not be recorded", host, bug);
        }
        return true;
    }

    private Answer answer(Optional<Flaw> flaw) {
        Optional<Head> known = head;
        return new Answer(
                flaw.map(Flaw::kind),
                known.map(Head::status),
                redaction.apply(flaw.map(Flaw::words).orElse("")),
                known.map(found -> found.excerpt().of(body, redaction, limits.excerptChars()))
                        .orElse(""),
                body.count(),
                known.flatMap(Head::retryAfter));
    }
}
