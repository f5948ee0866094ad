package dev.escapement.server.standalone;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.RunnerService.ActiveRun;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.server.DatabaseFactory;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.storage.Database;
import dev.escapement.storage.problem.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the runs of this machine that the database does not know, because it was restored from a backup that is older
 * than they are. Records each again as the holder of its target, with a cancellation: so nothing else runs on the
 * target while the run is being stopped, and afterwards the target is blocked until a person clears it.
 */
record UnknownRunRecorder(ExecutionStore store, InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownRunRecorder.class);

    /** Who cancels the runs, in statuses and messages. */
    static final String ACTOR = "database restore";

    private static final int MAX_ATTEMPTS = 5;
    private static final int SUFFIX_LENGTH = 8;

    /**
     * Records the unknown ones before a server is restarted: closing it may take longer than other servers wait. Opens
     * the database a second time and registers there, so that the parts that are to be closed can write nothing more.
     */
    static void recordBeforeRestart(
            Settings settings, String serverId, Supplier<List<ActiveRun>> runs, InstantSource clock) {
        if (settings.get(SettingsTable.DATABASE).isEmpty()) {
            // Nobody else uses the file, and it can be opened only once: the start records them.
            return;
        }
        try (Database database = DatabaseFactory.openPostgres(settings)) {
            Duration lease = settings.get(SettingsTable.LEASE);
            if (database.serverRegistry().register(serverId, ServerLease.serverName(), lease)) {
                new UnknownRunRecorder(database.store(), clock).recordUnknown(runs.get());
            }
        } catch (RuntimeException failure) {
            LOG.warn("Unknown runs could not be recorded; the restart of this server records them", failure);
        }
    }

    /**
     * Records the unknown ones among these runs. Idempotent. A run that cannot be recorded, because of a damaged row or
     * of concurrent writes, is logged and does not prevent the others.
     *
     * @throws StorageException if the database cannot be used
     */
    void recordUnknown(List<ActiveRun> runs) {
        runs.forEach(run -> Target.tryParse(run.target()).ifPresent(target -> tryRecord(run, target)));
    }

    /**
     * One damaged row does not stop the whole server: nothing starts on a target whose entry cannot be read, and the
     * runner stops the run of an execution that cannot be read.
     */
    private void tryRecord(ActiveRun run, Target target) {
        try {
            recordIfUnknown(run, target);
        } catch (StorageException unusable) {
            throw unusable;
        } catch (RuntimeException failure) {
            LOG.error(
                    "Run {} of execution {} on {} could not be compared with the database; check by hand what runs on"
                            + " the target",
                    run.run().name(),
                    run.execution(),
                    target,
                    failure);
        }
    }

    private void recordIfUnknown(ActiveRun run, Target target) {
        for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
            Versioned<LedgerEntry> entry = store.readCurrentEntry(target);
            if (entry.value().heldBy(run.execution()).isPresent()) {
                // A target that a deleted execution holds is released when its run has ended.
                return;
            }
            Optional<Versioned<Execution>> stored = store.readExecution(run.execution());
            if (stored.filter(found -> isKnown(run, found.value())).isPresent()) {
                return;
            }
            if (store.apply(createWrites(run, entry, stored, attempt))) {
                LOG.error(
                        "Run {} of execution {} on {} is unknown to the database, which was probably restored from a"
                                + " backup; stopping the run and blocking the target",
                        run.run().name(),
                        run.execution(),
                        target);
                return;
            }
        }
        throw new IllegalStateException("run %s of execution %s is unknown to the database and cannot be recorded"
                .formatted(run.run().name(), run.execution()));
    }

    /** A backup from before the run was admitted has the execution, but as pending. */
    private static boolean isKnown(ActiveRun run, Execution stored) {
        return stored.status() instanceof ExecutionStatus.Final
                || stored.status()
                        .runRef()
                        .filter(known -> known.uid().equals(run.run().uid()))
                        .isPresent();
    }

    /** Returns one transaction: between two, a server could start something on the target or skip the execution. */
    private List<StoreWrite> createWrites(
            ActiveRun run, Versioned<LedgerEntry> entry, Optional<Versioned<Execution>> stored, int attempt) {
        Instant now = clock.instant();
        // What the database takes for the holder was superseded by this run; how it ended is unknown.
        Free free = entry.value() instanceof Held other
                ? other.release(new ExecutionOutcome.Lost(), now)
                : (Free) entry.value();
        Execution cancelled = stored.map(Versioned::value)
                .map(found -> found.cancelledBy(found.cancelledBy().orElse(ACTOR)))
                .orElseGet(() -> createExecution(run, attempt));
        Held held = free.reacquire(cancelled.asHolder(run.run(), now));
        ExecutionStatus running =
                new ExecutionStatus.Running(run.run(), held.epoch(), run.startedAt(), RunProgress.UNKNOWN);
        StoreWrite entryUpdate = new StoreWrite.EntryUpdate(entry, held, now);
        StoreWrite creation = new StoreWrite.Creation(cancelled.withStatus(running));
        if (stored.isEmpty()) {
            return List.of(entryUpdate, creation);
        }
        if (attempt == 1) {
            Versioned<Execution> seen = new Versioned<>(cancelled, stored.get().version());
            return List.of(entryUpdate, new StoreWrite.StatusUpdate(seen, running));
        }
        // The restored database may name another server as its owner, whose executions this one cannot update.
        return List.of(entryUpdate, new StoreWrite.Deletion(stored.get(), ACTOR, now), creation);
    }

    private static Execution createExecution(ActiveRun run, int attempt) {
        return Execution.pending(
                        refFor(run.execution(), attempt),
                        run.startedAt(),
                        ExecutionSpec.of(run.workflowId(), run.target(), Map.of()))
                .cancelledBy(ACTOR);
    }

    /** Uses another name from the second attempt on: the restored database may have an execution of the same name. */
    private static ExecutionRef refFor(ExecutionRef execution, int attempt) {
        String uid = execution.uid();
        String suffix = "-" + uid.substring(0, Math.min(SUFFIX_LENGTH, uid.length()));
        return attempt == 1 ? execution : new ExecutionRef(execution.namespace(), execution.name() + suffix, uid);
    }
}
