package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Keeps every version in memory, returns stale ones where the port permits it, and reports writes to the invariants.
 */
class SimulatedStore implements ExecutionStore {

    /** Marks a removed entry, so that versions are never reused. */
    private record VersionList<T>(List<Versioned<T>> versions) {
        Versioned<T> latest() {
            return versions.get(versions.size() - 1);
        }
    }

    final Map<ExecutionRef, List<Versioned<Execution>>> executions = new LinkedHashMap<>();
    final SimulatedJournal journal = new SimulatedJournal();
    private final Map<Target, VersionList<LedgerEntry>> entries = new LinkedHashMap<>();
    private final Set<Target> markedForDeletion = new HashSet<>();
    private final RandomGenerator random;
    private final boolean transactional;
    private final SimulationInvariants invariants;
    private int lastVersion;

    SimulatedStore(RandomGenerator random, boolean transactional, SimulationInvariants invariants) {
        this.random = random;
        this.transactional = transactional;
        this.invariants = invariants;
    }

    /** Returns queries on the current state. */
    ExecutionQueries queries() {
        return new SimulatedExecutionQueries(this);
    }

    /** Returns a random version, usually the last. */
    int chooseVersion(int count) {
        return random.nextInt(5) == 0 ? random.nextInt(count) : count - 1;
    }

    /** Returns the execution as an event would: a random version, usually the newest. */
    Versioned<Execution> readAnyVersion(ExecutionRef ref) {
        List<Versioned<Execution>> all = Objects.requireNonNull(executions.get(ref), "no such execution");
        return all.get(chooseVersion(all.size()));
    }

    LedgerEntry latestEntry(Target target) {
        return versionsOf(target).latest().value();
    }

    /** Returns the entries that are not idle. */
    List<Versioned<LedgerEntry>> storedEntries() {
        return entries.values().stream()
                .map(VersionList::latest)
                .filter(entry -> !entry.version().equals(Versioned.ABSENT))
                .toList();
    }

    /** Removes an entry by force, as an administrator of a cluster can. */
    void removeEntry(Target target) {
        versionsOf(target).versions().add(new Versioned<>(LedgerEntry.initial(target), Versioned.ABSENT));
        markedForDeletion.remove(target);
    }

    /** Deletes an entry as a user does on a cluster: one that is protected is removed when it is no longer. */
    void deleteEntry(Target target) {
        markedForDeletion.add(target);
        removeIfMarked(target);
    }

    private void removeIfMarked(Target target) {
        if (markedForDeletion.contains(target) && !latestEntry(target).isProtected()) {
            removeEntry(target);
            invariants.entryDeleted(target);
        }
    }

    /** As on a cluster: where there are transactions, entries are rows of a database. */
    @Override
    public boolean canLoseEntries() {
        return !transactional;
    }

    @Override
    public Optional<Versioned<Execution>> readCachedExecution(ExecutionRef ref) {
        Fiber.pause();
        return executions.containsKey(ref) ? Optional.of(readAnyVersion(ref)) : Optional.empty();
    }

    private VersionList<LedgerEntry> versionsOf(Target target) {
        return entries.computeIfAbsent(
                target,
                fresh -> new VersionList<>(
                        new ArrayList<>(List.of(new Versioned<>(LedgerEntry.initial(target), Versioned.ABSENT)))));
    }

    @Override
    public Optional<Versioned<Execution>> readExecution(ExecutionRef ref) {
        Fiber.pause();
        return latestExecution(ref);
    }

    Optional<Versioned<Execution>> latestExecution(ExecutionRef ref) {
        return Optional.ofNullable(executions.get(ref)).map(all -> all.get(all.size() - 1));
    }

    @Override
    public Versioned<LedgerEntry> readEntry(Target target) {
        Fiber.pause();
        List<Versioned<LedgerEntry>> all = versionsOf(target).versions();
        return all.get(chooseVersion(all.size()));
    }

    @Override
    public Versioned<LedgerEntry> readCurrentEntry(Target target) {
        Fiber.pause();
        return versionsOf(target).latest();
    }

    @Override
    public List<GateRequest> readWaiting(Target target) {
        Fiber.pause();
        return executions.values().stream()
                .map(versions -> versions.get(chooseVersion(versions.size())).value())
                .filter(execution -> execution.isWaiting()
                        && execution.spec().canonicalTarget().equals(target.canonical()))
                .map(execution -> execution.gateRequest(target))
                .toList();
    }

    @Override
    public boolean apply(List<StoreWrite> writes) {
        Fiber.pause();
        if (transactional) {
            if (!writes.stream().allMatch(this::isCurrent)) {
                return false;
            }
            writes.forEach(this::applyWrite);
            return true;
        }
        for (StoreWrite write : writes) {
            if (!isCurrent(write)) {
                return false;
            }
            applyWrite(write);
            Fiber.pause();
        }
        return true;
    }

    boolean isCurrent(StoreWrite write) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            return entry.expected()
                    .version()
                    .equals(versionsOf(entry.updated().target()).latest().version());
        } else if (write instanceof StoreWrite.Creation create) {
            ExecutionRef asked = create.execution().ref();
            return executions.keySet().stream()
                    .noneMatch(ref -> ref.hasUid(asked.uid()) || ref.toString().equals(asked.toString()));
        }
        Versioned<Execution> seen = expectedExecution(write);
        return latestExecution(seen.value().ref()).filter(seen::equals).isPresent();
    }

    static Versioned<Execution> expectedExecution(StoreWrite write) {
        if (write instanceof StoreWrite.StatusUpdate status) {
            return status.expected();
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            return cancel.expected();
        } else if (write instanceof StoreWrite.Deletion delete) {
            return delete.expected();
        } else if (write instanceof StoreWrite.Expiry expiry) {
            return expiry.expected();
        }
        return ((StoreWrite.ClearanceUpdate) write).expected();
    }

    private void applyWrite(StoreWrite write) {
        if (write instanceof StoreWrite.EntryUpdate entry) {
            LedgerEntry before = latestEntry(entry.updated().target());
            checkAdmission(entry, before);
            String version = entry.updated().isIdle(entry.at()) ? Versioned.ABSENT : nextVersion();
            LedgerEntry kept = version.equals(Versioned.ABSENT)
                    ? LedgerEntry.initial(entry.updated().target())
                    : entry.updated();
            versionsOf(entry.updated().target()).versions().add(new Versioned<>(kept, version));
            invariants.entryChanged(before, entry.updated());
            removeIfMarked(entry.updated().target());
        } else if (write instanceof StoreWrite.Creation create) {
            executions.put(
                    create.execution().ref(),
                    new ArrayList<>(List.of(new Versioned<>(create.execution(), nextVersion()))));
        } else {
            updateExecution(write, expectedExecution(write).value().ref());
        }
        Transition.of(write).ifPresent(journal::append);
    }

    /** Reports an acquisition with all executions as they really are. */
    private void checkAdmission(StoreWrite.EntryUpdate write, LedgerEntry before) {
        LedgerEntry considered = before instanceof Held held
                ? latestExecution(held.holder().execution())
                        .map(holder -> holder.value().status())
                        .filter(ExecutionStatus.Final.class::isInstance)
                        .<LedgerEntry>map(ended -> ((ExecutionStatus.Final) ended).release(held))
                        .orElse(before)
                : before;
        // An entry that its holder keeps only changes its memory.
        if (write.updated() instanceof Held acquired
                && before.heldBy(acquired.holder().execution()).isEmpty()
                && considered instanceof Free free) {
            List<Execution> all = executions.values().stream()
                    .map(versions -> versions.get(versions.size() - 1).value())
                    .toList();
            invariants.executionAdmitted(acquired, free, write.expected().version(), all);
        }
    }

    private void updateExecution(StoreWrite write, ExecutionRef ref) {
        Optional<Execution> before = latestExecution(ref).map(Versioned::value);
        if (before.isEmpty()) {
            return; // Reached only with an injected fault.
        }
        Execution was = before.get();
        if (write instanceof StoreWrite.Deletion) {
            executions.remove(ref);
            invariants.executionDeleted(was);
        } else if (write instanceof StoreWrite.Expiry) {
            executions.remove(ref);
        } else if (write instanceof StoreWrite.StatusUpdate status) {
            addVersion(was.withStatus(status.updated()));
            invariants.statusChanged(was.withStatus(status.updated()), was.status());
        } else if (write instanceof StoreWrite.Cancellation cancel) {
            addVersion(was.cancelledBy(cancel.actor()));
        } else if (write instanceof StoreWrite.ClearanceUpdate clearance) {
            addVersion(was.withClearance(clearance.clearance()));
        }
    }

    private void addVersion(Execution next) {
        Objects.requireNonNull(executions.get(next.ref())).add(new Versioned<>(next, nextVersion()));
    }

    private String nextVersion() {
        return Integer.toString(++lastVersion);
    }
}
