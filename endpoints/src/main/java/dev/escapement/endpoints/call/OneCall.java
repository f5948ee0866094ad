package dev.escapement.endpoints.call;

import dev.escapement.endpoints.call.Answer.Failure;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from its first byte to what came of it, which is told once: whoever comes first (the answer, a bound, the
 * timeout, the end of the program) decides.
 *
 * <p>A call that was sent on a used connection and got not a single byte back is sent once more: most likely the server
 * had closed that connection between two calls. It is the same call under the same {@code Idempotency-Key}. So is one
 * whose connection was lost here before a byte was sent.
 */
final class OneCall implements Response.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(OneCall.class);

    private final Supplier<Request> writer;
    private final Reception reception;
    private final Consumer<Answer> done;
    private final Consumer<OneCall> ended;
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile Scheduler.Task watch = () -> false;
    private volatile Optional<Request> request = Optional.empty();
    private volatile Stage stage = Stage.NOT_SENT;
    private volatile LongSupplier received = () -> 0;
    private volatile long receivedBefore;
    private volatile boolean repeated;

    private enum Stage {
        NOT_SENT,
        SENT_ON_A_NEW_CONNECTION,
        SENT_ON_A_USED_CONNECTION
    }

    OneCall(Supplier<Request> writer, Reception reception, Consumer<Answer> done, Consumer<OneCall> ended) {
        this.writer = writer;
        this.reception = reception;
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

    void send() {
        try {
            Request next = writer.get();
            // Before looking: whoever tells from here on finds it and ends it.
            request = Optional.of(next);
            if (!told.get()) {
                next.onRequestBegin(this::begin).send(this);
            }
        } catch (RuntimeException refused) {
            tell(Optional.of(Failures.of(refused, reception.host())));
        }
    }

    private void begin(Request begun) {
        if (begun.getConnection() instanceof Connection connection && connection.getMessagesIn() > 0) {
            received = connection::getBytesIn;
            receivedBefore = connection.getBytesIn();
            stage = Stage.SENT_ON_A_USED_CONNECTION;
        } else {
            stage = Stage.SENT_ON_A_NEW_CONNECTION;
        }
    }

    @Override
    public void onHeaders(Response response) {
        reception.takeHead(response);
    }

    @Override
    public void onContent(Response response, ByteBuffer chunk) {
        if (!reception.takeBody(chunk)) {
            end(reception.flawOfEndless());
        }
    }

    @Override
    public void onComplete(Result result) {
        if (!result.isFailed()) {
            complete(result);
            return;
        }
        Flaw flaw = Failures.of(result.getFailure(), reception.host());
        if (flaw.kind() == Failure.CONNECTION && !repeated && isWorthRepeating(result.getFailure())) {
            repeated = true;
            stage = Stage.NOT_SENT;
            send();
        } else {
            tell(Optional.of(flaw));
        }
    }

    private boolean isWorthRepeating(Throwable failure) {
        return switch (stage) {
            case NOT_SENT -> !Failures.isRefusal(failure);
            case SENT_ON_A_NEW_CONNECTION -> false;
            case SENT_ON_A_USED_CONNECTION -> received.getAsLong() == receivedBefore;
        };
    }

    private void complete(Result result) {
        Optional<Flaw> flaw = reception.flaw();
        if (flaw.filter(found -> found.kind() == Failure.BAD_ANSWER).isPresent()) {
            // It wants to speak another protocol from here on.
            result.getRequest().getConnection().close();
        }
        tell(flaw);
    }

    /** Lets go of the connection and tells; does nothing if it is over already. */
    void end(Flaw flaw) {
        if (!told.compareAndSet(false, true)) {
            return;
        }
        try {
            // First, so that whoever is told finds the place free.
            request.ifPresent(sent -> {
                var unused = sent.abort(new CancellationException(flaw.words()));
            });
        } finally {
            report(Optional.of(flaw));
        }
    }

    private void tell(Optional<Flaw> flaw) {
        if (told.compareAndSet(false, true)) {
            report(flaw);
        }
    }

    private void report(Optional<Flaw> flaw) {
        watch.cancel();
        ended.accept(this);
        try {
            done.accept(reception.answer(flaw));
        } catch (RuntimeException bug) {
            LOG.error("Who waited for a call to {} failed; what came of it may not be recorded", reception.host(), bug);
        }
    }
}
