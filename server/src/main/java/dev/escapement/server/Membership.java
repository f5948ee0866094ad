package dev.escapement.server;

import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.StartException.Obstacle;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
import dev.escapement.server.worker.Fleet;
import dev.escapement.server.worker.GoingRuns;
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
final class Membership implements Fleet, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Membership.class);

    /** Often enough that two renewals in a row may fail before others take over. */
    private static final int RENEWALS_PER_LEASE = 4;

    private final dev.escapement.storage.registry.ServerRegistry fleet;
    private final Duration lease;
    private final GoingRuns going;

    private Membership(dev.escapement.storage.registry.ServerRegistry fleet, Duration lease, GoingRuns going) {
        this.fleet = fleet;
        this.lease = lease;
        this.going = going;
    }

    /** Joins under the id of the data folder, or under a new one if others have taken over from that. */
    static Membership join(Database database, DataFolder data, Settings settings, GoingRuns going) {
        Duration lease = settings.get(SettingsTable.LEASE);
        String name = "process " + ProcessHandle.current().pid();
        try {
            if (!database.serverRegistry().register(data.serverId(), name, lease)) {
                LOG.warn("others have taken over from server {}: its runs are lost; it gets a new id", data.serverId());
                data.renewServerId();
                if (!database.serverRegistry().register(data.serverId(), name, lease)) {
                    throw new StartException(
                            Obstacle.DATABASE, "server " + data.serverId() + " cannot join " + database);
                }
            }
        } catch (StorageException problem) {
            throw new StartException(Obstacle.DATABASE, String.valueOf(problem.getMessage()), problem);
        }
        return new Membership(database.serverRegistry(), lease, going);
    }

    Duration rhythm() {
        return lease.dividedBy(RENEWALS_PER_LEASE);
    }

    /** How much of the lease must be left for a start. One renewal that fails, and one that is late, leave more. */
    Duration margin() {
        return rhythm().multipliedBy(3).dividedBy(2);
    }

    @Override
    public Duration renew() {
        try {
            return fleet.renewLease();
        } catch (ServerLeaseLostException takenOver) {
            throw new Retired(takenOver);
        }
    }

    @Override
    public List<String> lapsed() {
        return fleet.expiredServers().stream()
                .map(dev.escapement.storage.registry.ServerRegistry.Server::id)
                .toList();
    }

    @Override
    public Optional<List<ExecutionRef>> takeOver(String server) {
        return fleet.takeOver(server);
    }

    @Override
    public void unfinished(Consumer<ExecutionRef> each) {
        fleet.forEachUnfinished(seen -> {
            going.note(seen.value());
            each.accept(seen.value().ref());
        });
    }

    /** The executions that this server carries on, as they were when it started. */
    Set<String> uidsOfUnfinished() {
        Set<String> uids = new HashSet<>();
        fleet.forEachUnfinished(seen -> {
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
        fleet.releaseLease();
    }
}
