package dev.escapement.governor.model;

import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.model.ModelValues.PendingWrite;
import dev.escapement.governor.model.ModelValues.Run;
import dev.escapement.governor.model.ModelValues.Status;
import java.util.Arrays;

/**
 * A state of the model. It keeps every version of each object, because a reader may see any of them; the last one is
 * current. Immutable.
 */
final class ModelState {

    /** Shared by all states of one exploration. */
    static final class SharedValues {
        final Interner<LedgerEntry> entries = new Interner<>();
        final Interner<Status> statuses = new Interner<>();
        final Interner<Run> runs = new Interner<>();
        final Interner<PendingWrite> works = new Interner<>();
    }

    private static final int[] NO_WORK = {};

    final SharedValues values;
    private final int[] ledger;
    private final int[][] statuses;
    private final int[][] runs;
    private final int[][] works;

    /** What really happened; invisible to the protocol. */
    final GroundTruth truth;

    private ModelState(
            SharedValues values, int[] ledger, int[][] statuses, int[][] runs, int[][] works, GroundTruth truth) {
        this.values = values;
        this.ledger = ledger;
        this.statuses = statuses;
        this.runs = runs;
        this.works = works;
        this.truth = truth;
    }

    static ModelState initial(
            SharedValues values, LedgerEntry entry, int executions, int controllers, GroundTruth truth) {
        int[][] statuses = new int[executions][];
        int[][] runs = new int[executions][];
        Arrays.setAll(statuses, e -> new int[] {values.statuses.indexOf(Status.PENDING)});
        Arrays.setAll(runs, e -> new int[] {values.runs.indexOf(Run.NONE)});
        int[][] works = new int[controllers][];
        Arrays.fill(works, NO_WORK);
        return new ModelState(values, new int[] {values.entries.indexOf(entry)}, statuses, runs, works, truth);
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
        return values.entries.valueAt(ledger[version]);
    }

    LedgerEntry ledger() {
        return ledger(ledger.length - 1);
    }

    int statusVersions(int execution) {
        return statuses[execution].length;
    }

    Status status(int execution, int version) {
        return values.statuses.valueAt(statuses[execution][version]);
    }

    Status status(int execution) {
        return status(execution, statuses[execution].length - 1);
    }

    int runVersions(int execution) {
        return runs[execution].length;
    }

    Run run(int execution, int version) {
        return values.runs.valueAt(runs[execution][version]);
    }

    Run run(int execution) {
        return run(execution, runs[execution].length - 1);
    }

    boolean isIdle(int controller) {
        return works[controller].length == 0;
    }

    PendingWrite work(int controller) {
        return values.works.valueAt(works[controller][0]);
    }

    ModelState withLedger(LedgerEntry entry) {
        return new ModelState(values, append(ledger, values.entries.indexOf(entry)), statuses, runs, works, truth);
    }

    ModelState withStatus(int execution, Status status) {
        int[][] changed = statuses.clone();
        changed[execution] = append(changed[execution], values.statuses.indexOf(status));
        return new ModelState(values, ledger, changed, runs, works, truth);
    }

    ModelState withRun(int execution, Run run) {
        int[][] changed = runs.clone();
        changed[execution] = append(changed[execution], values.runs.indexOf(run));
        return new ModelState(values, ledger, statuses, changed, works, truth);
    }

    ModelState withWork(int controller, PendingWrite work) {
        return withWorkValues(controller, new int[] {values.works.indexOf(work)});
    }

    ModelState withoutWork(int controller) {
        return withWorkValues(controller, NO_WORK);
    }

    ModelState withTruth(GroundTruth changed) {
        return new ModelState(values, ledger, statuses, runs, works, changed);
    }

    /** Sorts the controllers: states that differ only in their order are equivalent. */
    ModelState canonical() {
        if (works.length < 2) {
            return this;
        }
        int[][] sorted = works.clone();
        Arrays.sort(sorted, Arrays::compare);
        return new ModelState(values, ledger, statuses, runs, sorted, truth);
    }

    private ModelState withWorkValues(int controller, int[] work) {
        int[][] changed = works.clone();
        changed[controller] = work;
        return new ModelState(values, ledger, statuses, runs, changed, truth);
    }

    private static int[] append(int[] history, int value) {
        int[] longer = Arrays.copyOf(history, history.length + 1);
        longer[history.length] = value;
        return longer;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ModelState that
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
