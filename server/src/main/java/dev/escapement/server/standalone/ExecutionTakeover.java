package dev.escapement.server.standalone;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.WorkItem;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what this server has to carry on: its own from before, and what silent servers have left behind. */
public final class ExecutionTakeover {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionTakeover.class);

    private final PeerRegistry peers;
    private final ServerLease lease;
    private final Consumer<WorkItem> queue;

    /** @param queue takes what is found */
    public ExecutionTakeover(PeerRegistry fleet, ServerLease lease, Consumer<WorkItem> queue) {
        this.peers = fleet;
        this.lease = lease;
        this.queue = queue;
    }

    /** Looks at everything unfinished that is this server's own. Returns how many there are. */
    public int enqueueUnfinished() {
        AtomicInteger found = new AtomicInteger();
        peers.forEachUnfinished(execution -> {
            queue.accept(WorkItem.of(execution));
            found.incrementAndGet();
        });
        return found.get();
    }

    /** Takes over from servers whose lease has lapsed. A server whose own has lapsed is in no position to. */
    public void takeOverExpiredServers() {
        if (!lease.isHeld()) {
            return;
        }
        for (String server : peers.expiredServers()) {
            Optional<List<ExecutionRef>> taken = peers.takeOver(server);
            taken.ifPresent(executions -> {
                LOG.warn("server {} is gone: took over {} executions", server, executions.size());
                executions.forEach(execution -> queue.accept(WorkItem.of(execution)));
            });
        }
    }
}
