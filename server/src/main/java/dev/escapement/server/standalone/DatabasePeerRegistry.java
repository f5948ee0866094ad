package dev.escapement.server.standalone;

import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.ServerLeaseLostException;
import dev.escapement.storage.problem.StorageException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This server's place among those that share its database. */
final class DatabasePeerRegistry implements PeerRegistry, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DatabasePeerRegistry.class);

    /** Often enough that two renewals in a row may fail before others take over. */
    private static final int RENEWALS_PER_LEASE = 4;

    private final dev.escapement.storage.registry.ServerRegistry registry;
    private final Duration leaseDuration;
    private final ActiveRuns activeRuns;

    private DatabasePeerRegistry(
            dev.escapement.storage.registry.ServerRegistry fleet, Duration lease, ActiveRuns going) {
        this.registry = fleet;
        this.leaseDuration = lease;
        this.activeRuns = going;
    }

    /** Joins under the id of the data folder, or under a new one if others have taken over from that. */
    static DatabasePeerRegistry join(Database database, DataFolder data, Settings settings, ActiveRuns going) {
        Duration lease = settings.get(SettingsTable.LEASE);
        String name = "process " + ProcessHandle.current().pid();
        try {
            if (!database.serverRegistry().register(data.serverId(), name, lease)) {
                LOG.warn("others have taken over from server {}: its runs are lost; it gets a new id", data.serverId());
                data.renewServerId();
                if (!database.serverRegistry().register(data.serverId(), name, lease)) {
                    throw new StartException(Reason.DATABASE, "server " + data.serverId() + " cannot join " + database);
                }
            }
        } catch (StorageException problem) {
            throw new StartException(Reason.DATABASE, String.valueOf(problem.getMessage()), problem);
        }
        return new DatabasePeerRegistry(database.serverRegistry(), lease, going);
    }

    Duration renewalInterval() {
        return leaseDuration.dividedBy(RENEWALS_PER_LEASE);
    }

    /** How much of the lease must be left for a start. One renewal that fails, and one that is late, leave more. */
    Duration startMargin() {
        return renewalInterval().multipliedBy(3).dividedBy(2);
    }

    @Override
    public Duration renew() {
        try {
            return registry.renewLease();
        } catch (ServerLeaseLostException takenOver) {
            throw new LeaseTakenOverException(takenOver);
        }
    }

    @Override
    public List<String> expiredServers() {
        return registry.expiredServers().stream()
                .map(dev.escapement.storage.registry.ServerRegistry.Server::id)
                .toList();
    }

    @Override
    public Optional<List<ExecutionRef>> takeOver(String server) {
        return registry.takeOver(server);
    }

    @Override
    public void forEachUnfinished(Consumer<ExecutionRef> each) {
        registry.forEachUnfinished(seen -> {
            activeRuns.update(seen.value());
            each.accept(seen.value().ref());
        });
    }

    /** The executions that this server carries on, as they were when it started. */
    Set<String> unfinishedUids() {
        Set<String> uids = new HashSet<>();
        registry.forEachUnfinished(seen -> {
            if (!(seen.value().status() instanceof ExecutionStatus.Final)) {
                uids.add(seen.value().ref().uid());
            }
        });
        return uids;
    }

    /**
     * Gives the lease back, or leaves it to run out if there is something to find again: who comes back soon finds it.
     */
    @Override
    public void close() {
        registry.releaseLease();
    }
}
