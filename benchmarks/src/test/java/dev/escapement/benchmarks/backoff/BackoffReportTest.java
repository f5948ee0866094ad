package dev.escapement.benchmarks.backoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.benchmarks.jmh.MeasurementOutcome;
import dev.escapement.benchmarks.report.PerformanceTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffReportTest {

    @Test
    void comparesPeerWithOursOfSameKind() {
        BackoffReport report = report(measured(30), measured(30));
        assertThat(report.ratio(BackoffContender.RESILIENCE4J, 1)).hasValue(6);
        assertThat(report.ratio(BackoffContender.GAX, 1)).hasValue(3);
        assertThat(report.formatTable()).contains("6.0x", "3.0x");
    }

    @Test
    void targetsHoldWhenOursIsFasterFlatAndAllocationFree() {
        assertThat(report(measured(30), measured(30)).targets()).allMatch(PerformanceTarget::holds);
    }

    @Test
    void missesTargetWhenOnePeerIsAsFast() {
        assertThat(report(measured(30), measured(10)).targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(PerformanceTarget::found)
                .isEqualTo("not faster than AWS SDK at attempt 5, not faster than gax at attempt 5");
    }

    @Test
    void failedOrTimedOutPeerIsShownAndNotFaster() {
        BackoffReport report = report(
                new MeasurementOutcome.Failed("ArithmeticException"),
                MeasurementOutcome.TimedOut.after(Duration.ofSeconds(2)));
        assertThat(report.formatTable()).contains("throws ArithmeticException", "over 2000.0 ms");
        assertThat(report.ratio(BackoffContender.GAX, 1)).isEmpty();
        assertThat(report.targets()).allMatch(PerformanceTarget::holds);
    }

    @Test
    void missesEveryTargetWhenOursThrows() {
        List<BackoffMeasurement> cells = new ArrayList<>();
        for (BackoffContender contender : BackoffContender.values()) {
            cells.add(new BackoffMeasurement(
                    contender, 1, contender.isOurs() ? new MeasurementOutcome.Failed("it") : measured(30)));
        }
        assertThat(new BackoffReport(cells).targets()).noneMatch(PerformanceTarget::holds);
    }

    @Test
    void slowdownIsSlowestOverFastestAttempt() {
        BackoffReport report = new BackoffReport(List.of(
                new BackoffMeasurement(BackoffContender.DELAY, 1, measured(4)),
                new BackoffMeasurement(BackoffContender.DELAY, 5, measured(6)),
                new BackoffMeasurement(BackoffContender.DELAY, 30, measured(5))));
        assertThat(report.slowdown(BackoffContender.DELAY)).isEqualTo(1.5);
    }

    @Test
    void mergesRoundsAndReportsMedian() {
        MeasurementOutcome merged = measured(2).merge(measured(100)).merge(measured(4));
        assertThat(merged.nanos()).hasValue(4);
        assertThat(merged.merge(measured(6)).nanos()).hasValue(5);
        assertThat(merged.merge(new MeasurementOutcome.Failed("it"))).isEqualTo(new MeasurementOutcome.Failed("it"));
        assertThat(new MeasurementOutcome.Failed("it").merge(merged)).isEqualTo(new MeasurementOutcome.Failed("it"));
    }

    /** Escapement takes 5 ns as a number and 10 ns as a Duration. */
    private static BackoffReport report(MeasurementOutcome peersAtFirst, MeasurementOutcome peersAtFifth) {
        List<BackoffMeasurement> cells = new ArrayList<>();
        for (BackoffContender contender : BackoffContender.values()) {
            MeasurementOutcome ours = measured(contender.kind() == BackoffContender.ResultKind.NUMBER ? 5 : 10);
            cells.add(new BackoffMeasurement(contender, 1, contender.isOurs() ? ours : peersAtFirst));
            cells.add(new BackoffMeasurement(contender, 5, contender.isOurs() ? ours : peersAtFifth));
        }
        return new BackoffReport(cells);
    }

    private static MeasurementOutcome measured(double nanos) {
        return new MeasurementOutcome.Measured(List.of(nanos), List.of(0.0));
    }
}
