package dev.escapement.server.http.transport;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Takes a whole response into memory and sends it without blocking, so that the thread that wrote it is free however
 * slowly the client reads. A stream is not buffered: its writer has its own thread. Also the callback of the handler,
 * which is completed when the handler has ended and the response is sent.
 */
public final class BufferedResponse extends Response.Wrapper implements Callback {

    /** Attribute of a request whose response is a stream. */
    public static final String STREAM_ATTRIBUTE = BufferedResponse.class.getName() + ".stream";

    private final Callback completion;
    private final ConnectionGuard guard;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean sending;
    private boolean sent;
    private boolean handled;
    private boolean completed;
    private @Nullable Throwable failure;

    BufferedResponse(Request request, Response response, Callback completion, ConnectionGuard guard) {
        super(request, response);
        this.completion = completion;
        this.guard = guard;
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer buffer, Callback callback) {
        if (getRequest().getAttribute(STREAM_ATTRIBUTE) != null) {
            super.write(last, buffer, callback);
            return;
        }
        if (buffer != null && buffer.hasRemaining()) {
            byte[] copy = new byte[buffer.remaining()];
            buffer.get(copy);
            content.writeBytes(copy);
        }
        if (last) {
            send();
        }
        callback.succeeded();
    }

    @Override
    public void reset() {
        super.reset();
        content.reset();
    }

    /** Servlets must not change a response that is being sent. */
    @Override
    public synchronized boolean isCommitted() {
        return sending || super.isCommitted();
    }

    @Override
    public synchronized boolean hasLastWrite() {
        return sending || super.hasLastWrite();
    }

    private void send() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        byte[] bytes = content.toByteArray();
        guard.awaitReader(getRequest(), bytes.length, bytes.length);
        if (bytes.length > ChunkedWrite.CHUNK_SIZE) {
            getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        }
        new ChunkedWrite(getWrapped(), ByteBuffer.wrap(bytes), Callback.from(() -> end(null), this::end)).iterate();
    }

    private void end(@Nullable Throwable problem) {
        synchronized (this) {
            sent = true;
            failure = failure == null ? problem : failure;
        }
        completeIfDone();
    }

    /** The handler has ended. */
    @Override
    public void succeeded() {
        if (content.size() > 0) {
            send();
        }
        finishHandler(null);
    }

    @Override
    public void failed(Throwable problem) {
        finishHandler(problem);
    }

    private void finishHandler(@Nullable Throwable problem) {
        synchronized (this) {
            handled = true;
            failure = failure == null ? problem : failure;
        }
        completeIfDone();
    }

    /** Completes once, although the handler and the response may end on two threads at the same time. */
    private void completeIfDone() {
        Throwable problem;
        synchronized (this) {
            if (completed || !handled || (sending && !sent)) {
                return;
            }
            completed = true;
            problem = failure;
        }
        if (problem == null) {
            completion.succeeded();
        } else {
            completion.failed(problem);
        }
    }
}
