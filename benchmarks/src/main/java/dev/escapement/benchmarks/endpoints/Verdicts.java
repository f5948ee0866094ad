package dev.escapement.benchmarks.endpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Targets, and whether they hold. */
public final class Verdicts {

    private final List<String> lines = new ArrayList<>();
    private boolean good = true;

    /** Adds a claim. */
    public void judge(boolean holds, String claim, String format, Object... found) {
        good &= holds;
        lines.add("  %s  %s: ".formatted(holds ? "PASS" : "FAIL", claim) + String.format(Locale.ROOT, format, found));
    }

    /** One a claim. */
    public List<String> lines() {
        return lines;
    }

    /** Whether all hold. */
    public boolean isGood() {
        return good;
    }
}
