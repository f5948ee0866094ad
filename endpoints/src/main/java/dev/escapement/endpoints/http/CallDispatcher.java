package dev.escapement.endpoints.http;

import java.util.function.Consumer;

/** Makes HTTP calls asynchronously. */
public interface CallDispatcher extends AutoCloseable {

    /**
     * Starts a call and returns at once. {@code callback} runs exactly once, shortly after {@link CallRequest#timeout}
     * at the latest, on any thread and possibly before this method returns; it must not block.
     *
     * @param idempotencyKey the same for every attempt of one run; without a dot
     */
    void dispatch(CallRequest request, String idempotencyKey, Consumer<CallResult> callback);

    /** Stops; calls in flight finish as {@link CallResult.Failure#ABORTED}. */
    @Override
    void close();
}
