package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.port.Store;
import dev.escapement.engine.port.Versioned;
import dev.escapement.engine.port.Write;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Keeps every version in memory, serves old ones where the port allows it, and tells the history what is written. */
class SimulatedStore implements Store {

    /** A status change that reached the journal. */
    record Journalled(ExecutionRef execution, String from, String to) {}

    final Map<ExecutionRef, List<Execution>> executions = new LinkedHashMap<>();
    final Map<Target, List<LedgerEntry>> entries = new LinkedHashMap<>();
    final List<ExecutionRef> deleted = new ArrayList<>();
    final List<Journalled> journal = new ArrayList<>();

    private final RandomGenerator random;
    private final boolean transactional;
    private final History history;

    SimulatedStore(RandomGenerator random, boolean transactional, History history) {
        this.random = random;
        this.transactional = transactional;
        this.history = history;
    }

    void create(Execution execution) {
        executions.put(execution.ref(), new ArrayList<>(List.of(execution)));
    }

    void delete(ExecutionRef ref) {
        deleted.add(ref);
        executions.remove(ref);
    }

    void cancel(ExecutionRef ref) {
        List<Execution> versions = versions(ref);
        versions.add(last(versions).cancelledBy("anna"));
    }

    List<Execution> versions(ExecutionRef ref) {
        return Objects.requireNonNull(executions.get(ref), "no such execution");
    }

    /** Any of them, most often the last. */
    int someVersion(int versions) {
        return random.nextInt(5) == 0 ? random.nextInt(versions) : versions - 1;
    }

    LedgerEntry current(Target target) {
        return entries.containsKey(target) ? last(entries.get(target)) : LedgerEntry.fresh(target);
    }

    /** A person's or a sweeper's change, made at once. */
    void put(Target target, LedgerEntry entry) {
        entries.computeIfAbsent(target, fresh -> new ArrayList<>(List.of(LedgerEntry.fresh(target))))
                .add(entry);
    }

    /** As an event would bring it: any version, most often the newest. */
    Versioned<Execution> anyView(ExecutionRef ref) {
        List<Execution> versions = versions(ref);
        int version = someVersion(versions.size());
        return new Versioned<>(versions.get(version), Integer.toString(version));
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        Fiber.pause();
        return Optional.ofNullable(executions.get(ref))
                .map(versions -> new Versioned<>(last(versions), Integer.toString(versions.size() - 1)));
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        Fiber.pause();
        List<LedgerEntry> versions = entries.getOrDefault(target, List.of(LedgerEntry.fresh(target)));
        int version = someVersion(versions.size());
        return new Versioned<>(versions.get(version), Integer.toString(version));
    }

    @Override
    public boolean apply(List<Write> writes) {
        Fiber.pause();
        if (transactional) {
            if (!writes.stream().allMatch(this::isCurrent)) {
                return false;
            }
            writes.forEach(this::make);
            return true;
        }
        for (Write write : writes) {
            if (!isCurrent(write)) {
                return false;
            }
            make(write);
            Fiber.pause();
        }
        return true;
    }

    boolean isCurrent(Write write) {
        if (write instanceof Write.Entry entry) {
            Target target = entry.next().target();
            int version = entries.containsKey(target) ? entries.get(target).size() - 1 : 0;
            return entry.seen().version().equals(Integer.toString(version));
        }
        if (write instanceof Write.Create create) {
            return !executions.containsKey(create.next().ref());
        }
        Versioned<Execution> seen = seen(write);
        List<Execution> versions = executions.get(seen.value().ref());
        return versions != null && seen.version().equals(Integer.toString(versions.size() - 1));
    }

    private static Versioned<Execution> seen(Write write) {
        if (write instanceof Write.StatusOf status) {
            return status.seen();
        } else if (write instanceof Write.CancelOf cancel) {
            return cancel.seen();
        } else if (write instanceof Write.DeleteOf delete) {
            return delete.seen();
        }
        return ((Write.ClearanceOf) write).seen();
    }

    private void make(Write write) {
        if (write instanceof Write.Entry entry) {
            LedgerEntry before = current(entry.next().target());
            put(entry.next().target(), entry.next());
            history.entryChanged(before, entry.next());
        } else if (write instanceof Write.StatusOf status) {
            List<Execution> versions = executions.get(status.seen().value().ref());
            if (versions == null) {
                return;
            }
            Status before = last(versions).status();
            versions.add(last(versions).with(status.next()));
            if (!before.phase().equals(status.next().phase())) {
                journal.add(new Journalled(
                        last(versions).ref(), before.phase(), status.next().phase()));
            }
            history.statusChanged(last(versions), before);
        }
    }

    static <T> T last(List<T> versions) {
        return versions.get(versions.size() - 1);
    }
}
