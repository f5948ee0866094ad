package dev.escapement.server.worker;

import dev.escapement.governor.ledger.ExecutionRef;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what this server has to carry on: its own from before, and what silent servers have left behind. */
public final class Takeover {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private final Fleet fleet;
    private final Lease lease;
    private final Consumer<Work> queue;

    /** @param queue takes what is found */
    public Takeover(Fleet fleet, Lease lease, Consumer<Work> queue) {
        this.fleet = fleet;
        this.lease = lease;
        this.queue = queue;
    }

    /** Looks at everything unfinished that is this server's own. Returns how many there are. */
    public int resume() {
        AtomicInteger found = new AtomicInteger();
        fleet.unfinished(execution -> {
            queue.accept(Work.on(execution));
            found.incrementAndGet();
        });
        return found.get();
    }

    /** Takes over from servers whose lease has lapsed. A server whose own has lapsed is in no position to. */
    public void takeOver() {
        if (!lease.isHeld()) {
            return;
        }
        for (String server : fleet.lapsed()) {
            Optional<List<ExecutionRef>> taken = fleet.takeOver(server);
            taken.ifPresent(executions -> {
                LOG.warn("server {} is gone: took over {} executions", server, executions.size());
                executions.forEach(execution -> queue.accept(Work.on(execution)));
            });
        }
    }
}
