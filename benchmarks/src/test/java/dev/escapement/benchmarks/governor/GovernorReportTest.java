package dev.escapement.benchmarks.governor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.benchmarks.governor.GovernorExperiment.Table;
import dev.escapement.benchmarks.governor.GovernorReport.Finding;
import dev.escapement.benchmarks.jmh.MeasurementOutcome;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class GovernorReportTest {

    @Test
    void targetsHoldWhenDecisionsAreFastAndFlat() {
        assertThat(report(experiment -> 500).targets()).hasSize(2).allMatch(PerformanceTarget::holds);
    }

    @Test
    void missesTargetWhenOneDecisionIsSlow() {
        assertThat(report(experiment -> experiment.row().equals("ExhaustedRetries") ? 501 : 100)
                        .targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(PerformanceTarget::found)
                .isEqualTo("2.0 million for the slowest");
    }

    @Test
    void messagesHaveNoTarget() {
        assertThat(report(experiment -> experiment.column().startsWith("with ") ? 50_000 : 100)
                        .targets())
                .allMatch(PerformanceTarget::holds);
    }

    @Test
    void missesTargetWhenHistorySizeChangesCost() {
        assertThat(report(experiment ->
                                isIn(experiment, GovernorExperimentCatalog.COMPARABLE_INPUTS_ROW, "10,000") ? 121 : 100)
                        .targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(PerformanceTarget::found)
                .isEqualTo("1.21");
    }

    @Test
    void listAndRandomInputsHaveNoTarget() {
        GovernorReport report = report(
                experiment -> experiment.column().equals("1,000,000") && !usesComparableInputs(experiment) ? 5e6 : 100);
        assertThat(report.targets()).allMatch(PerformanceTarget::holds);
        assertThat(report.formatComparison())
                .contains("1.0x of the ledger", "50,000x of the ledger", "50,000x slowest / fastest");
    }

    @Test
    void failedMeasurementMissesTarget() {
        List<Finding> findings = GovernorExperimentCatalog.all().stream()
                .map(experiment -> new Finding(experiment, new MeasurementOutcome.Failed("it")))
                .toList();
        assertThat(new GovernorReport(findings).targets()).noneMatch(PerformanceTarget::holds);
    }

    @Test
    void tableShowsEveryRowAndEmptyCells() {
        assertThat(report(experiment -> 250).formatTable(Table.DECISIONS).lines())
                .hasSize(8)
                .anyMatch(line -> line.matches("admitted +4.0 M/s +250.0 ns +96 B +"))
                .anyMatch(line -> line.matches("ResourceBusy( +4.0 M/s +250.0 ns +96 B){3}"));
        assertThat(report(experiment -> 2e6).formatTable(Table.PLANS)).contains("500/s", "2.0 ms");
    }

    private static boolean usesComparableInputs(GovernorExperiment experiment) {
        return experiment.row().equals(GovernorExperimentCatalog.COMPARABLE_INPUTS_ROW);
    }

    private static boolean isIn(GovernorExperiment experiment, String row, String column) {
        return experiment.row().equals(row) && experiment.column().equals(column);
    }

    private static GovernorReport report(ToDoubleFunction<GovernorExperiment> nanos) {
        return new GovernorReport(GovernorExperimentCatalog.all().stream()
                .map(experiment -> new Finding(
                        experiment,
                        new MeasurementOutcome.Measured(List.of(nanos.applyAsDouble(experiment)), List.of(96.0))))
                .toList());
    }
}
