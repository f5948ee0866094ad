package dev.escapement.server.standalone;

import dev.escapement.governor.ledger.ExecutionRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The servers that share a database, as one of them sees it. Every call may throw; then nothing is known. */
public interface PeerRegistry {

    /** Another server took over from this one: nothing that it still does counts, and it needs a new id. */
    final class LeaseTakenOverException extends RuntimeException {
        /** With the reason. */
        public LeaseTakenOverException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    /**
     * Prolongs this server's lease.
     *
     * @return for how long from now on nobody can take over; zero or less if the answer took too long to rely on
     * @throws LeaseTakenOverException if somebody has taken over
     */
    Duration renew();

    /** Servers whose lease has lapsed. */
    List<String> expiredServers();

    /** Takes over what a server has not finished; empty if its lease has not lapsed after all. */
    Optional<List<ExecutionRef>> takeOver(String server);

    /** This server's executions that are not over, or still hold their target. */
    void forEachUnfinished(Consumer<ExecutionRef> each);
}
