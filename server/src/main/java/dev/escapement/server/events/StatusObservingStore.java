package dev.escapement.server.events;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.ExecutionStore.ForwardingStore;
import dev.escapement.engine.port.StoreWrite;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Passes every stored status to a listener, because the journal has transitions only and no progress.
 *
 * @param statusListener receives the execution before and after the change; must not block
 */
public record StatusObservingStore(ExecutionStore delegate, BiConsumer<Execution, Execution> statusListener)
        implements ForwardingStore {

    @Override
    public boolean apply(List<StoreWrite> writes) {
        boolean applied = delegate.apply(writes);
        for (StoreWrite write : writes) {
            if (applied && write instanceof StoreWrite.StatusUpdate status) {
                Execution before = status.expected().value();
                statusListener.accept(before, before.withStatus(status.updated()));
            }
        }
        return applied;
    }
}
