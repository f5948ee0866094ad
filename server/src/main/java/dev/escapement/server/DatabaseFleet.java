package dev.escapement.server;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.worker.Fleet;
import dev.escapement.server.worker.GoingRuns;
import dev.escapement.storage.problem.ServerRetired;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The fleet as the worker wants it, from the one that the database has. */
final class DatabaseFleet implements Fleet {

    private final dev.escapement.storage.Fleet fleet;
    private final GoingRuns going;

    DatabaseFleet(dev.escapement.storage.Fleet fleet, GoingRuns going) {
        this.fleet = fleet;
        this.going = going;
    }

    @Override
    public Duration renew() {
        try {
            return fleet.renew();
        } catch (ServerRetired takenOver) {
            throw new Retired(takenOver);
        }
    }

    @Override
    public List<String> lapsed() {
        return fleet.lapsed().stream()
                .map(dev.escapement.storage.Fleet.Server::id)
                .toList();
    }

    @Override
    public Optional<List<ExecutionRef>> takeOver(String server) {
        return fleet.takeOver(server);
    }

    @Override
    public void unfinished(Consumer<ExecutionRef> each) {
        fleet.unfinished(seen -> {
            going.note(seen.value());
            each.accept(seen.value().ref());
        });
    }

    /** Whether nothing of this server's is unfinished, so that nobody has to find it again. */
    boolean isDone() {
        boolean[] found = new boolean[1];
        fleet.unfinished((Versioned<Execution> seen) -> found[0] = true);
        return !found[0];
    }
}
