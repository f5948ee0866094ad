package dev.escapement.benchmarks.report;

import dev.escapement.crashtests.kit.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects the targets of a benchmark and prints whether they are met. */
public final class TargetResults {

    private final List<PerformanceTarget> targets = new ArrayList<>();

    public void check(boolean holds, String claim, String format, Object... found) {
        targets.add(new PerformanceTarget(claim, String.format(Locale.ROOT, format, found), holds));
    }

    public void addAll(List<PerformanceTarget> more) {
        targets.addAll(more);
    }

    /** Prints one line per target and a summary. */
    public void print() {
        targets.forEach(target -> Console.printLine(target.format()));
        long met = targets.stream().filter(PerformanceTarget::holds).count();
        Console.print("  targets met: %d of %d", met, targets.size());
    }

    public boolean allHold() {
        return targets.stream().allMatch(PerformanceTarget::holds);
    }
}
