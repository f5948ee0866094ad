package dev.escapement.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Targets, and whether they hold. */
public final class TargetResults {

    private final List<String> lines = new ArrayList<>();
    private boolean allHold = true;

    /** Adds a claim. */
    public void check(boolean holds, String claim, String format, Object... found) {
        allHold &= holds;
        lines.add("  %s  %s: ".formatted(holds ? "PASS" : "FAIL", claim) + String.format(Locale.ROOT, format, found));
    }

    /** One a claim. */
    public List<String> lines() {
        return lines;
    }

    /** Whether all hold. */
    public boolean allHold() {
        return allHold;
    }
}
