package dev.escapement.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.benchmarks.Experiment.Table;
import dev.escapement.benchmarks.GovernorReport.Finding;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class GovernorReportTest {

    @Test
    void allTargetsHoldIfDecisionsAreFastAndThePastDoesNotMatter() {
        assertThat(report(experiment -> 500).targets()).hasSize(2).allMatch(Target::holds);
    }

    @Test
    void oneSlowDecisionIsEnoughToMiss() {
        assertThat(report(experiment -> experiment.row().equals("ExhaustedRetries") ? 501 : 100)
                        .targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(Target::found)
                .isEqualTo("the slowest comes to 2.0 million");
    }

    @Test
    void wordsMayTakeTheirTime() {
        assertThat(report(experiment -> experiment.column().startsWith("with ") ? 50_000 : 100)
                        .targets())
                .allMatch(Target::holds);
    }

    @Test
    void theSameQuestionsMustCostTheSameWhateverThePast() {
        assertThat(report(experiment -> isIn(experiment, GovernorExperiments.ALIKE, "10,000") ? 121 : 100)
                        .targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(Target::found)
                .isEqualTo("1.21");
    }

    @Test
    void neitherTheListNorWhatHappensToBeAskedIsJudged() {
        GovernorReport report =
                report(experiment -> experiment.column().equals("1,000,000") && !isAlike(experiment) ? 5e6 : 100);
        assertThat(report.targets()).allMatch(Target::holds);
        assertThat(report.comparison()).contains("1.0x of ours", "50,000x of ours", "50,000x slowest / fastest");
    }

    @Test
    void whatThrowsMissesItsTarget() {
        List<Finding> findings = GovernorExperiments.all().stream()
                .map(experiment -> new Finding(experiment, new Outcome.Threw("it")))
                .toList();
        assertThat(new GovernorReport(findings).targets()).noneMatch(Target::holds);
    }

    @Test
    void aTableHasEveryRowAndLeavesEmptyWhatWasNotMeasured() {
        assertThat(report(experiment -> 250).table(Table.DECISIONS).lines())
                .hasSize(8)
                .anyMatch(line -> line.matches("admitted +4.0 M/s +250.0 ns +96 B +"))
                .anyMatch(line -> line.matches("ResourceBusy( +4.0 M/s +250.0 ns +96 B){3}"));
        assertThat(report(experiment -> 2e6).table(Table.PLANS)).contains("500/s", "2.0 ms");
    }

    private static boolean isAlike(Experiment experiment) {
        return experiment.row().equals(GovernorExperiments.ALIKE);
    }

    private static boolean isIn(Experiment experiment, String row, String column) {
        return experiment.row().equals(row) && experiment.column().equals(column);
    }

    private static GovernorReport report(ToDoubleFunction<Experiment> nanos) {
        return new GovernorReport(GovernorExperiments.all().stream()
                .map(experiment -> new Finding(
                        experiment, new Outcome.Measured(List.of(nanos.applyAsDouble(experiment)), List.of(96.0))))
                .toList());
    }
}
