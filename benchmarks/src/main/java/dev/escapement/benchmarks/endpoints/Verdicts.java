package dev.escapement.benchmarks.endpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Targets, and whether they hold. */
final class Verdicts {

    private final List<String> lines = new ArrayList<>();
    private boolean good = true;

    void judge(boolean holds, String claim, String format, Object... found) {
        good &= holds;
        lines.add("  %s  %s: ".formatted(holds ? "PASS" : "FAIL", claim) + String.format(Locale.ROOT, format, found));
    }

    List<String> lines() {
        return lines;
    }

    boolean isGood() {
        return good;
    }
}
