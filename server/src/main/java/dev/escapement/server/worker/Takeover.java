package dev.escapement.server.worker;

import dev.escapement.governor.ledger.ExecutionRef;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what this server has to carry on: its own from before, and what silent servers have left behind. */
public final class Takeover {

    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
    private static final int PART = 500;

    private final Fleet fleet;
    private final Lease lease;
    private final Consumer<Work> queue;

    /** @param queue takes what is found */
    public Takeover(Fleet fleet, Lease lease, Consumer<Work> queue) {
        this.fleet = fleet;
        this.lease = lease;
        this.queue = queue;
    }

    /** Looks at everything unfinished that is this server's own. */
    public int resume() {
        int found = 0;
        List<ExecutionRef> part = fleet.unfinished("", PART);
        while (!part.isEmpty()) {
            part.forEach(ref -> queue.accept(Work.on(ref)));
            found += part.size();
            part = part.size() < PART ? List.of() : fleet.unfinished(part.get(part.size() - 1).uid(), PART);
        }
        return found;
    }

    /** Takes over from servers whose lease has lapsed. A server whose own has lapsed is in no position to. */
    public void takeOver() {
        if (!lease.isHeld()) {
            return;
        }
        int taken = fleet.takeOver();
        if (taken > 0) {
            LOG.warn("took over {} executions of servers that are gone", taken);
            resume();
        }
    }
}
