package dev.escapement.server.http.transport;

import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * Writes the rest of a response without blocking, in parts: Java copies a whole array for each part that the socket
 * takes.
 */
final class ChunkedWrite extends IteratingCallback {

    static final int CHUNK_SIZE = 64 << 10;

    private final Response response;
    private final ByteBuffer content;
    private final Callback callback;
    private boolean lastWritten;

    ChunkedWrite(Response response, ByteBuffer content, Callback callback) {
        this.response = response;
        this.content = content;
        this.callback = callback;
    }

    @Override
    protected Action process() {
        if (lastWritten) {
            return Action.SUCCEEDED;
        }
        int length = Math.min(CHUNK_SIZE, content.remaining());
        ByteBuffer part = content.slice(content.position(), length);
        content.position(content.position() + length);
        lastWritten = !content.hasRemaining();
        response.write(lastWritten, part, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        callback.succeeded();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        callback.failed(cause);
    }
}
