package dev.escapement.benchmarks;

import dev.escapement.benchmarks.Experiment.Table;
import dev.escapement.benchmarks.governor.GateBenchmark;
import dev.escapement.benchmarks.governor.LedgerBenchmark;
import dev.escapement.benchmarks.governor.PlanBenchmark;
import dev.escapement.benchmarks.governor.Planning;
import dev.escapement.benchmarks.governor.Situation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is measured of the governor. */
final class GovernorExperiments {

    private static final String DECIDE = "decide";
    static final String ALIKE = "ledger: the same questions";
    static final String ANY = "ledger: questions as they come";
    static final String LIST = "list-then-filter";

    private static final int[] SIZES = {10, 10_000, 1_000_000};

    private GovernorExperiments() {}

    /** What is compared stands together. */
    static List<Experiment> all() {
        List<Experiment> all = new ArrayList<>();
        all.addAll(decisions());
        all.addAll(past(ALIKE, "alike"));
        all.addAll(past(ANY, "any"));
        all.addAll(past(LIST, "listThenFilter"));
        all.addAll(plans());
        return all;
    }

    /** Whether a target depends on it. */
    static boolean isJudged(Experiment experiment) {
        return experiment.column().equals(DECIDE) || experiment.row().equals(ALIKE);
    }

    private static List<Experiment> decisions() {
        List<Experiment> decisions = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            decisions.add(decision(situation, DECIDE, "decide"));
        }
        Trial mix = new Trial(LedgerBenchmark.class, "mix", "executions", "10");
        decisions.add(new Experiment(Table.DECISIONS, "mix of these", DECIDE, mix));
        for (Situation situation : Situation.values()) {
            if (situation.isSkip()) {
                decisions.add(decision(situation, "with message()", "message"));
                decisions.add(decision(situation, "with explanation()", "explanation"));
            }
        }
        return decisions;
    }

    private static Experiment decision(Situation situation, String column, String method) {
        Trial trial = new Trial(GateBenchmark.class, method, "situation", situation.name());
        return new Experiment(Table.DECISIONS, situation.label(), column, trial);
    }

    private static List<Experiment> past(String row, String method) {
        List<Experiment> past = new ArrayList<>();
        for (int size : SIZES) {
            Trial trial = new Trial(LedgerBenchmark.class, method, "executions", Integer.toString(size));
            past.add(new Experiment(Table.PAST, row, String.format(Locale.ROOT, "%,d", size), trial));
        }
        return past;
    }

    private static List<Experiment> plans() {
        List<Experiment> plans = new ArrayList<>();
        for (Planning planning : Planning.values()) {
            Trial trial = new Trial(PlanBenchmark.class, "plan", "planning", planning.name());
            plans.add(new Experiment(Table.PLANS, planning.label(), "planNextRun", trial));
        }
        return plans;
    }
}
