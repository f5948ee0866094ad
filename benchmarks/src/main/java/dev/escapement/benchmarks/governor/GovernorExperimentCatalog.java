package dev.escapement.benchmarks.governor;

import dev.escapement.benchmarks.governor.GovernorExperiment.Table;
import dev.escapement.benchmarks.jmh.JmhTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The list of all experiments. */
final class GovernorExperimentCatalog {

    private static final String DECIDE_COLUMN = "decide";
    static final String COMPARABLE_INPUTS_ROW = "ledger: the same requests";
    static final String RANDOM_INPUTS_ROW = "ledger: random requests";
    static final String LIST_THEN_FILTER_ROW = "list-then-filter";

    private static final int[] HISTORY_SIZES = {10, 10_000, 1_000_000};

    private GovernorExperimentCatalog() {}

    /** Returns compared experiments one after the other. */
    static List<GovernorExperiment> all() {
        List<GovernorExperiment> all = new ArrayList<>();
        all.addAll(decisionExperiments());
        all.addAll(historyExperiments(COMPARABLE_INPUTS_ROW, "alike"));
        all.addAll(historyExperiments(RANDOM_INPUTS_ROW, "any"));
        all.addAll(historyExperiments(LIST_THEN_FILTER_ROW, "listThenFilter"));
        all.addAll(planExperiments());
        return all;
    }

    /** Returns whether a target depends on the experiment. */
    static boolean hasTarget(GovernorExperiment experiment) {
        return experiment.column().equals(DECIDE_COLUMN) || experiment.row().equals(COMPARABLE_INPUTS_ROW);
    }

    private static List<GovernorExperiment> decisionExperiments() {
        List<GovernorExperiment> decisions = new ArrayList<>();
        for (GateSituation situation : GateSituation.values()) {
            decisions.add(decisionExperiment(situation, DECIDE_COLUMN, "decide"));
        }
        JmhTrial mix = new JmhTrial(LedgerBenchmark.class, "mix", "executions", "10");
        decisions.add(new GovernorExperiment(Table.DECISIONS, "mix of all", DECIDE_COLUMN, mix));
        for (GateSituation situation : GateSituation.values()) {
            if (situation.isSkip()) {
                decisions.add(decisionExperiment(situation, "with message()", "message"));
                decisions.add(decisionExperiment(situation, "with explanation()", "explanation"));
            }
        }
        return decisions;
    }

    private static GovernorExperiment decisionExperiment(GateSituation situation, String column, String method) {
        JmhTrial trial = new JmhTrial(GateBenchmark.class, method, "situation", situation.name());
        return new GovernorExperiment(Table.DECISIONS, situation.label(), column, trial);
    }

    private static List<GovernorExperiment> historyExperiments(String row, String method) {
        List<GovernorExperiment> past = new ArrayList<>();
        for (int size : HISTORY_SIZES) {
            JmhTrial trial = new JmhTrial(LedgerBenchmark.class, method, "executions", Integer.toString(size));
            past.add(new GovernorExperiment(Table.PAST, row, String.format(Locale.ROOT, "%,d", size), trial));
        }
        return past;
    }

    private static List<GovernorExperiment> planExperiments() {
        List<GovernorExperiment> plans = new ArrayList<>();
        for (PlanningCase planning : PlanningCase.values()) {
            JmhTrial trial = new JmhTrial(PlanBenchmark.class, "plan", "planning", planning.name());
            plans.add(new GovernorExperiment(Table.PLANS, planning.label(), "planNextRun", trial));
        }
        return plans;
    }
}
