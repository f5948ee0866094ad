package dev.escapement.governor.model;

import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.Facts.Run;
import dev.escapement.governor.model.Facts.Status;
import dev.escapement.governor.model.Facts.Work;
import java.util.Arrays;

/**
 * Everything at one moment. The stores keep every version, because a reader may see any of them; the last is the
 * present. Immutable; the withers return the changed copy.
 */
final class World {

    /** Shared by all worlds of one exploration. */
    static final class Values {
        final Interner<LedgerEntry> entries = new Interner<>();
        final Interner<Status> statuses = new Interner<>();
        final Interner<Run> runs = new Interner<>();
        final Interner<Work> works = new Interner<>();
    }

    private static final int[] IDLE = {};

    final Values values;
    private final int[] ledger;
    private final int[][] statuses;
    private final int[][] runs;
    private final int[][] works;

    /** What really happened, for judging: the protocol cannot see it. */
    final Truth truth;

    private World(Values values, int[] ledger, int[][] statuses, int[][] runs, int[][] works, Truth truth) {
        this.values = values;
        this.ledger = ledger;
        this.statuses = statuses;
        this.runs = runs;
        this.works = works;
        this.truth = truth;
    }

    static World start(Values values, LedgerEntry entry, int executions, int controllers, Truth truth) {
        int[][] statuses = new int[executions][];
        int[][] runs = new int[executions][];
        Arrays.setAll(statuses, e -> new int[] {values.statuses.number(Status.PENDING)});
        Arrays.setAll(runs, e -> new int[] {values.runs.number(Run.NONE)});
        int[][] works = new int[controllers][];
        Arrays.fill(works, IDLE);
        return new World(values, new int[] {values.entries.number(entry)}, statuses, runs, works, truth);
    }

    int executions() {
        return statuses.length;
    }

    int controllers() {
        return works.length;
    }

    int ledgerVersions() {
        return ledger.length;
    }

    LedgerEntry ledger(int version) {
        return values.entries.value(ledger[version]);
    }

    LedgerEntry ledger() {
        return ledger(ledger.length - 1);
    }

    int statusVersions(int execution) {
        return statuses[execution].length;
    }

    Status status(int execution, int version) {
        return values.statuses.value(statuses[execution][version]);
    }

    Status status(int execution) {
        return status(execution, statuses[execution].length - 1);
    }

    int runVersions(int execution) {
        return runs[execution].length;
    }

    Run run(int execution, int version) {
        return values.runs.value(runs[execution][version]);
    }

    Run run(int execution) {
        return run(execution, runs[execution].length - 1);
    }

    boolean isIdle(int controller) {
        return works[controller].length == 0;
    }

    Work work(int controller) {
        return values.works.value(works[controller][0]);
    }

    World withLedger(LedgerEntry entry) {
        return new World(values, append(ledger, values.entries.number(entry)), statuses, runs, works, truth);
    }

    World withStatus(int execution, Status status) {
        int[][] changed = statuses.clone();
        changed[execution] = append(changed[execution], values.statuses.number(status));
        return new World(values, ledger, changed, runs, works, truth);
    }

    World withRun(int execution, Run run) {
        int[][] changed = runs.clone();
        changed[execution] = append(changed[execution], values.runs.number(run));
        return new World(values, ledger, statuses, changed, works, truth);
    }

    World withWork(int controller, Work work) {
        return withWorks(controller, new int[] {values.works.number(work)});
    }

    World withoutWork(int controller) {
        return withWorks(controller, IDLE);
    }

    World withTruth(Truth changed) {
        return new World(values, ledger, statuses, runs, works, changed);
    }

    /** Controllers are interchangeable: of worlds that differ only in their order one is enough. */
    World canonical() {
        if (works.length < 2) {
            return this;
        }
        int[][] sorted = works.clone();
        Arrays.sort(sorted, Arrays::compare);
        return new World(values, ledger, statuses, runs, sorted, truth);
    }

    private World withWorks(int controller, int[] work) {
        int[][] changed = works.clone();
        changed[controller] = work;
        return new World(values, ledger, statuses, runs, changed, truth);
    }

    private static int[] append(int[] history, int value) {
        int[] longer = Arrays.copyOf(history, history.length + 1);
        longer[history.length] = value;
        return longer;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof World that
                && Arrays.equals(ledger, that.ledger)
                && Arrays.deepEquals(statuses, that.statuses)
                && Arrays.deepEquals(runs, that.runs)
                && Arrays.deepEquals(works, that.works)
                && truth.equals(that.truth);
    }

    @Override
    public int hashCode() {
        int hash = Arrays.hashCode(ledger);
        hash = hash * 31 + Arrays.deepHashCode(statuses);
        hash = hash * 31 + Arrays.deepHashCode(runs);
        hash = hash * 31 + Arrays.deepHashCode(works);
        return hash * 31 + truth.hashCode();
    }
}
