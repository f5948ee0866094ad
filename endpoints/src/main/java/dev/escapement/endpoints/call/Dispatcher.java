package dev.escapement.endpoints.call;

import java.util.function.Consumer;

/** Makes calls. */
public interface Dispatcher extends AutoCloseable {

    /**
     * Starts a call and returns at once. Whatever happens, {@code done} is told exactly once, soon after
     * {@link Call#timeout} at the latest; on any thread, perhaps before this returns. It must not block.
     */
    void dispatch(Call call, Consumer<Answer> done);

    /** Calls that are under way end as {@link Answer.Failure#ABORTED}. */
    @Override
    void close();
}
