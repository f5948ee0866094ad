package dev.escapement.server.worker;

import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.util.List;

/** The servers that share a database, as one of them sees it. Every call may throw; then nothing is known. */
public interface Fleet {

    /** Takes a lease under this server's id, or takes it up again. */
    void join(Duration lease);

    /** Renews the lease. Returns false if it had lapsed: then somebody may have taken over, and {@link #join} is due. */
    boolean renew(Duration lease);

    /** Gives the lease back. The executions stay this server's own: it finds them at its next start. */
    void leave();

    /** Takes over the unfinished executions of servers whose lease has lapsed. Returns how many. */
    int takeOver();

    /**
     * The unfinished executions of this server.
     *
     * @param after empty, or the uid of the last of the part before
     * @param limit at most so many
     */
    List<ExecutionRef> unfinished(String after, int limit);
}
