package dev.escapement.endpoints.http;

import java.util.function.Consumer;

/** Makes calls. */
public interface CallDispatcher extends AutoCloseable {

    /**
     * Starts a call and returns at once. Whatever happens, {@code done} is told exactly once, soon after
     * {@link CallRequest#timeout} at the latest; on any thread, perhaps before this returns. It must not block.
     */
    void dispatch(CallRequest call, Consumer<CallResult> done);

    /** Calls that are under way end as {@link CallResult.Failure#ABORTED}. */
    @Override
    void close();
}
