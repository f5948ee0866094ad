package dev.escapement.notifications.audit.sink;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Keeps the beginning of a response and discards the rest, so that its size does not matter. */
final class BoundedBody implements BodySubscriber<String> {

    private final int maxBytes;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<String> body = new CompletableFuture<>();

    BoundedBody(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            byte[] bytes = new byte[Math.min(part.remaining(), maxBytes - kept.size())];
            part.get(bytes);
            kept.writeBytes(bytes);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(kept.toString(StandardCharsets.UTF_8));
    }
}
