package dev.escapement.engine.sim;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Directory;
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

    /** An entry that was removed leaves this: no version of it ever comes back. */
    private record Cell<T>(List<Versioned<T>> versions) {
        Versioned<T> last() {
            return versions.get(versions.size() - 1);
        }
    }

    final Map<ExecutionRef, List<Versioned<Execution>>> executions = new LinkedHashMap<>();
    final SimulatedJournal journal = new SimulatedJournal();
    private final Map<Target, Cell<LedgerEntry>> entries = new LinkedHashMap<>();
    private final RandomGenerator random;
    private final boolean transactional;
    private final History history;
    private int versions;

    SimulatedStore(RandomGenerator random, boolean transactional, History history) {
        this.random = random;
        this.transactional = transactional;
        this.history = history;
    }

    /** For people: what is there now. */
    Directory directory() {
        return new SimulatedDirectory(this);
    }

    /** Any of them, most often the last. */
    int someVersion(int count) {
        return random.nextInt(5) == 0 ? random.nextInt(count) : count - 1;
    }

    /** As an event would bring it: any version, most often the newest. */
    Versioned<Execution> anyView(ExecutionRef ref) {
        List<Versioned<Execution>> all = Objects.requireNonNull(executions.get(ref), "no such execution");
        return all.get(someVersion(all.size()));
    }

    LedgerEntry current(Target target) {
        return cell(target).last().value();
    }

    /** Those that a store would keep. */
    List<Versioned<LedgerEntry>> kept() {
        return entries.values().stream()
                .map(Cell::last)
                .filter(entry -> !entry.version().equals(Versioned.ABSENT))
                .toList();
    }

    /** Somebody removes an entry by hand. */
    void takeAway(Target target) {
        cell(target).versions().add(new Versioned<>(LedgerEntry.fresh(target), Versioned.ABSENT));
    }

    private Cell<LedgerEntry> cell(Target target) {
        return entries.computeIfAbsent(
                target,
                fresh -> new Cell<>(
                        new ArrayList<>(List.of(new Versioned<>(LedgerEntry.fresh(target), Versioned.ABSENT)))));
    }

    @Override
    public Optional<Versioned<Execution>> execution(ExecutionRef ref) {
        Fiber.pause();
        return now(ref);
    }

    Optional<Versioned<Execution>> now(ExecutionRef ref) {
        return Optional.ofNullable(executions.get(ref)).map(all -> all.get(all.size() - 1));
    }

    @Override
    public Versioned<LedgerEntry> entry(Target target) {
        Fiber.pause();
        List<Versioned<LedgerEntry>> all = cell(target).versions();
        return all.get(someVersion(all.size()));
    }

    @Override
    public Versioned<LedgerEntry> currentEntry(Target target) {
        Fiber.pause();
        return cell(target).last();
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
            return entry.seen()
                    .version()
                    .equals(cell(entry.next().target()).last().version());
        } else if (write instanceof Write.Create create) {
            ExecutionRef asked = create.next().ref();
            return executions.keySet().stream()
                    .noneMatch(ref -> ref.is(asked.uid()) || ref.toString().equals(asked.toString()));
        }
        Versioned<Execution> seen = seen(write);
        return now(seen.value().ref()).filter(seen::equals).isPresent();
    }

    static Versioned<Execution> seen(Write write) {
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
            String version = entry.next().isIdle(entry.at()) ? Versioned.ABSENT : nextVersion();
            LedgerEntry kept = version.equals(Versioned.ABSENT)
                    ? LedgerEntry.fresh(entry.next().target())
                    : entry.next();
            cell(entry.next().target()).versions().add(new Versioned<>(kept, version));
            history.entryChanged(before, entry.next());
        } else if (write instanceof Write.Create create) {
            executions.put(
                    create.next().ref(), new ArrayList<>(List.of(new Versioned<>(create.next(), nextVersion()))));
        } else {
            change(write, seen(write).value().ref());
        }
        Transition.of(write).ifPresent(journal::append);
    }

    private void change(Write write, ExecutionRef ref) {
        Optional<Execution> before = now(ref).map(Versioned::value);
        if (before.isEmpty()) {
            return; // Only a store without its guard comes here.
        }
        Execution was = before.get();
        if (write instanceof Write.DeleteOf) {
            executions.remove(ref);
            history.deleted(was);
        } else if (write instanceof Write.StatusOf status) {
            add(was.with(status.next()));
            history.statusChanged(was.with(status.next()), was.status());
        } else if (write instanceof Write.CancelOf cancel) {
            add(was.cancelledBy(cancel.by()));
        } else if (write instanceof Write.ClearanceOf clearance) {
            add(was.cleared(clearance.clearance()));
        }
    }

    private void add(Execution next) {
        Objects.requireNonNull(executions.get(next.ref())).add(new Versioned<>(next, nextVersion()));
    }

    private String nextVersion() {
        return Integer.toString(++versions);
    }
}
