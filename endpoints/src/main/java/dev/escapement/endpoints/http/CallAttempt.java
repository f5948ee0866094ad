package dev.escapement.endpoints.http;

import dev.escapement.endpoints.http.CallResult.Failure;
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
final class CallAttempt implements Response.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(CallAttempt.class);

    private final Supplier<Request> requestSupplier;
    private final ResponseReader responseReader;
    private final Consumer<CallResult> callback;
    private final Consumer<CallAttempt> onEnd;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile Scheduler.Task timeoutTask = () -> false;
    private volatile Optional<Request> request = Optional.empty();
    private volatile Stage stage = Stage.NOT_SENT;
    private volatile LongSupplier bytesReceived = () -> 0;
    private volatile long bytesReceivedBefore;
    private volatile boolean retried;

    private enum Stage {
        NOT_SENT,
        SENT_ON_A_NEW_CONNECTION,
        SENT_ON_A_USED_CONNECTION
    }

    CallAttempt(
            Supplier<Request> writer,
            ResponseReader reception,
            Consumer<CallResult> done,
            Consumer<CallAttempt> ended) {
        this.requestSupplier = writer;
        this.responseReader = reception;
        this.callback = done;
        this.onEnd = ended;
    }

    /** The timer to cancel when it is over. */
    void setTimeoutTask(Scheduler.Task task) {
        timeoutTask = task;
        if (finished.get()) {
            task.cancel();
        }
    }

    void send() {
        try {
            Request next = requestSupplier.get();
            // Before looking: whoever tells from here on finds it and ends it.
            request = Optional.of(next);
            if (!finished.get()) {
                next.onRequestBegin(this::onRequestBegin).send(this);
            }
        } catch (RuntimeException refused) {
            finish(Optional.of(CallErrorClassifier.classify(refused, responseReader.host())));
        }
    }

    private void onRequestBegin(Request begun) {
        if (begun.getConnection() instanceof Connection connection && connection.getMessagesIn() > 0) {
            bytesReceived = connection::getBytesIn;
            bytesReceivedBefore = connection.getBytesIn();
            stage = Stage.SENT_ON_A_USED_CONNECTION;
        } else {
            stage = Stage.SENT_ON_A_NEW_CONNECTION;
        }
    }

    @Override
    public void onHeaders(Response response) {
        responseReader.readHead(response);
    }

    @Override
    public void onContent(Response response, ByteBuffer chunk) {
        if (!responseReader.readBody(chunk)) {
            abort(responseReader.oversizeError());
        }
    }

    @Override
    public void onComplete(Result result) {
        if (!result.isFailed()) {
            handleComplete(result);
            return;
        }
        CallError flaw = CallErrorClassifier.classify(result.getFailure(), responseReader.host());
        if (flaw.kind() == Failure.CONNECTION && !retried && isRetryable(result.getFailure())) {
            retried = true;
            stage = Stage.NOT_SENT;
            send();
        } else {
            finish(Optional.of(flaw));
        }
    }

    private boolean isRetryable(Throwable failure) {
        return switch (stage) {
            case NOT_SENT -> !CallErrorClassifier.isConnectFailure(failure);
            case SENT_ON_A_NEW_CONNECTION -> false;
            case SENT_ON_A_USED_CONNECTION -> bytesReceived.getAsLong() == bytesReceivedBefore;
        };
    }

    private void handleComplete(Result result) {
        Optional<CallError> flaw = responseReader.findError();
        if (flaw.filter(found -> found.kind() == Failure.BAD_ANSWER).isPresent()) {
            // It wants to speak another protocol from here on.
            result.getRequest().getConnection().close();
        }
        finish(flaw);
    }

    /** Lets go of the connection and tells; does nothing if it is over already. */
    void abort(CallError flaw) {
        if (!finished.compareAndSet(false, true)) {
            return;
        }
        try {
            // First, so that whoever is told finds the place free.
            request.ifPresent(sent -> {
                var unused = sent.abort(new CancellationException(flaw.message()));
            });
        } finally {
            notifyCallback(Optional.of(flaw));
        }
    }

    private void finish(Optional<CallError> flaw) {
        if (finished.compareAndSet(false, true)) {
            notifyCallback(flaw);
        }
    }

    private void notifyCallback(Optional<CallError> flaw) {
        timeoutTask.cancel();
        onEnd.accept(this);
        try {
            callback.accept(responseReader.toResult(flaw));
        } catch (RuntimeException bug) {
            LOG.error(
                    "Who waited for a call to {} failed; what came of it may not be recorded",
                    responseReader.host(),
                    bug);
        }
    }
}
