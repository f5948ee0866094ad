package dev.escapement.server.http.transport;

import dev.escapement.common.SafeText;
import dev.escapement.server.http.HttpProblem;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the body of a request into memory without blocking, before the request is processed. Reads one byte more than
 * the limit of the path, by which the route sees that the body is too large, and discards the rest: a client that is
 * still sending when the connection closes may miss the response.
 */
final class BodyReader extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(BodyReader.class);
    private static final long MAX_DISCARDED_BYTES = 64L << 20;
    private static final int MAX_LOGGED_LENGTH = 200;

    private final ConnectionGuard guard;
    private final ToIntFunction<String> limitOfPath;
    private final long maxTotalBytes;
    private final AtomicLong totalBytes = new AtomicLong();

    /** @param maxTotalBytes limits the bodies of all requests together */
    BodyReader(ConnectionGuard guard, ToIntFunction<String> limitOfPath, long maxTotalBytes) {
        this.guard = guard;
        this.limitOfPath = limitOfPath;
        this.maxTotalBytes = maxTotalBytes;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean hasBody = request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
                || request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > 0;
        if (!hasBody) {
            return super.handle(request, response, callback);
        }
        Reading reading = new Reading(request, response, callback);
        guard.awaitBody(request, reading::expire);
        reading.run();
        return true;
    }

    private void next(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, 404);
            }
        } catch (Exception failure) {
            Response.writeError(request, response, callback, failure);
        }
    }

    /** A body that is arriving. */
    private final class Reading implements Runnable {

        private final Request request;
        private final Response response;
        private final Callback callback;
        private final int limit;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private final AtomicBoolean ended = new AtomicBoolean();
        private long discarded;

        Reading(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.limit = limitOfPath.applyAsInt(request.getHttpURI().getPath()) + 1;
            this.callback = new Callback.Nested(callback) {
                @Override
                public void succeeded() {
                    totalBytes.addAndGet(-content.size());
                    super.succeeded();
                }

                @Override
                public void failed(Throwable cause) {
                    totalBytes.addAndGet(-content.size());
                    super.failed(cause);
                }
            };
        }

        @Override
        public void run() {
            while (!ended.get()) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    fail(chunk.getFailure());
                    return;
                }
                boolean last = chunk.isLast();
                take(chunk.getByteBuffer());
                chunk.release();
                if (totalBytes.get() > maxTotalBytes) {
                    response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
                    refuse(HttpProblem.of(503, "the server receives too many bodies: retry"));
                } else if (last || discarded > MAX_DISCARDED_BYTES) {
                    end();
                }
            }
        }

        private void take(ByteBuffer part) {
            byte[] bytes = new byte[Math.min(part.remaining(), limit - content.size())];
            part.get(bytes);
            content.writeBytes(bytes);
            totalBytes.addAndGet(bytes.length);
            discarded += part.remaining();
            part.position(part.limit());
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                next(new BufferedRequest(request, content.toByteArray()), response, callback);
            }
        }

        void expire() {
            refuse(HttpProblem.of(
                    408, "the body took longer than " + ConnectionGuard.BODY_TIMEOUT.toSeconds() + " s to arrive"));
        }

        /** The client sent a malformed body or disconnected. */
        private void fail(Throwable cause) {
            String reason = SafeText.sanitize(String.valueOf(cause.getMessage()), MAX_LOGGED_LENGTH);
            LOG.info(
                    "Body of {} {} is incomplete: {}",
                    request.getMethod(),
                    request.getHttpURI().getPath(),
                    reason);
            refuse(HttpProblem.badRequest("the body is malformed or incomplete"));
        }

        private void refuse(HttpProblem problem) {
            if (ended.compareAndSet(false, true)) {
                guard.awaitReader(request, 0, 0);
                // The rest of the body would be taken for the next request.
                response.getHeaders().put(HttpHeader.CONNECTION, "close");
                problem.write(response, callback);
            }
        }
    }

    /** A request whose body is in memory. */
    private static final class BufferedRequest extends Request.Wrapper {

        private final Content.Source content;

        BufferedRequest(Request request, byte[] body) {
            super(request);
            this.content = Content.Source.from(ByteBuffer.wrap(body));
        }

        @Override
        public Content.Chunk read() {
            return content.read();
        }

        @Override
        public void demand(Runnable demandCallback) {
            content.demand(demandCallback);
        }
    }
}
