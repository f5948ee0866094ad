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
 * One call, from sending the request to its result. The callback runs exactly once: the first of response, size limit,
 * timeout and shutdown decides.
 *
 * <p>The request is sent a second time, under the same {@code Idempotency-Key}, if a reused connection failed before a
 * byte of the response arrived (most likely the server closed it while idle), or if an established connection was lost
 * before a byte of the request was sent.
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
            Supplier<Request> requestSupplier,
            ResponseReader responseReader,
            Consumer<CallResult> callback,
            Consumer<CallAttempt> onEnd) {
        this.requestSupplier = requestSupplier;
        this.responseReader = responseReader;
        this.callback = callback;
        this.onEnd = onEnd;
    }

    /** Sets the timer that is cancelled when the call finishes. */
    void setTimeoutTask(Scheduler.Task task) {
        timeoutTask = task;
        if (finished.get()) {
            task.cancel();
        }
    }

    void send() {
        try {
            Request next = requestSupplier.get();
            // Set before the check, so that a concurrent abort() finds it.
            request = Optional.of(next);
            if (!finished.get()) {
                next.onRequestBegin(this::onRequestBegin).send(this);
            }
        } catch (RuntimeException failure) {
            finish(Optional.of(CallError.classify(failure, responseReader.host())));
        }
    }

    private void onRequestBegin(Request sent) {
        if (sent.getConnection() instanceof Connection connection && connection.getMessagesIn() > 0) {
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
        CallError error = CallError.classify(result.getFailure(), responseReader.host());
        if (error.kind() == Failure.CONNECTION && !retried && isRetryable(result.getFailure())) {
            retried = true;
            stage = Stage.NOT_SENT;
            send();
        } else {
            finish(Optional.of(error));
        }
    }

    private boolean isRetryable(Throwable failure) {
        return switch (stage) {
            case NOT_SENT -> !CallError.isConnectFailure(failure);
            case SENT_ON_A_NEW_CONNECTION -> false;
            case SENT_ON_A_USED_CONNECTION -> bytesReceived.getAsLong() == bytesReceivedBefore;
        };
    }

    private void handleComplete(Result result) {
        Optional<CallError> error = responseReader.findError();
        if (error.filter(problem -> problem.kind() == Failure.BAD_ANSWER).isPresent()) {
            // A 1xx status without another: the server may have switched to another protocol.
            result.getRequest().getConnection().close();
        }
        finish(error);
    }

    /** Closes the connection and reports the error; does nothing if the call has finished. */
    void abort(CallError error) {
        if (!finished.compareAndSet(false, true)) {
            return;
        }
        try {
            // First, so that the callback finds the connection released.
            request.ifPresent(sent -> {
                var unused = sent.abort(new CancellationException(error.message()));
            });
        } finally {
            notifyCallback(Optional.of(error));
        }
    }

    private void finish(Optional<CallError> error) {
        if (finished.compareAndSet(false, true)) {
            notifyCallback(error);
        }
    }

    private void notifyCallback(Optional<CallError> error) {
        timeoutTask.cancel();
        onEnd.accept(this);
        try {
            callback.accept(responseReader.toResult(error));
        } catch (RuntimeException bug) {
            LOG.error("Callback for a call to {} failed; its result may not be recorded", responseReader.host(), bug);
        }
    }
}
