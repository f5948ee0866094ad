package dev.escapement.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffReportTest {

    @Test
    void aPeerIsComparedWithOursOfTheSameKind() {
        BackoffReport report = report(taking(30), taking(30));
        assertThat(report.ratio(Contender.RESILIENCE4J, 1)).hasValue(6);
        assertThat(report.ratio(Contender.GAX, 1)).hasValue(3);
        assertThat(report.table()).contains("6.0x", "3.0x");
    }

    @Test
    void allTargetsHoldIfPeersAreSlowerAndOursIsFlatAndAllocatesNothing() {
        assertThat(report(taking(30), taking(30)).targets()).allMatch(Target::holds);
    }

    @Test
    void onePeerThatIsAsFastAtOneAttemptIsEnoughToMiss() {
        assertThat(report(taking(30), taking(10)).targets())
                .filteredOn(target -> !target.holds())
                .singleElement()
                .extracting(Target::found)
                .isEqualTo("not than AWS SDK at attempt 5, not than gax at attempt 5");
    }

    @Test
    void aPeerThatThrowsOrNeverEndsIsShownAndIsNotFaster() {
        BackoffReport report =
                report(new Outcome.Threw("ArithmeticException"), Outcome.GivenUp.after(Duration.ofSeconds(2)));
        assertThat(report.table()).contains("throws ArithmeticException", "over 2000.0 ms");
        assertThat(report.ratio(Contender.GAX, 1)).isEmpty();
        assertThat(report.targets()).allMatch(Target::holds);
    }

    @Test
    void oursMissesEveryTargetIfItThrows() {
        List<Cell> cells = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            cells.add(new Cell(contender, 1, contender.isOurs() ? new Outcome.Threw("it") : taking(30)));
        }
        assertThat(new BackoffReport(cells).targets()).noneMatch(Target::holds);
    }

    @Test
    void flatIsTheDearestAttemptOverTheCheapest() {
        BackoffReport report = new BackoffReport(List.of(
                new Cell(Contender.DELAY, 1, taking(4)),
                new Cell(Contender.DELAY, 5, taking(6)),
                new Cell(Contender.DELAY, 30, taking(5))));
        assertThat(report.flatness(Contender.DELAY)).isEqualTo(1.5);
    }

    @Test
    void roundsArePooledAndReadAsMedians() {
        Outcome pooled = taking(2).and(taking(100)).and(taking(4));
        assertThat(pooled.nanos()).hasValue(4);
        assertThat(pooled.and(taking(6)).nanos()).hasValue(5);
        assertThat(pooled.and(new Outcome.Threw("it"))).isEqualTo(new Outcome.Threw("it"));
        assertThat(new Outcome.Threw("it").and(pooled)).isEqualTo(new Outcome.Threw("it"));
    }

    /** Ours takes 5 ns as a number and 10 ns as a Duration. */
    private static BackoffReport report(Outcome peersAtFirst, Outcome peersAtFifth) {
        List<Cell> cells = new ArrayList<>();
        for (Contender contender : Contender.values()) {
            Outcome ours = taking(contender.kind() == Contender.Kind.NUMBER ? 5 : 10);
            cells.add(new Cell(contender, 1, contender.isOurs() ? ours : peersAtFirst));
            cells.add(new Cell(contender, 5, contender.isOurs() ? ours : peersAtFifth));
        }
        return new BackoffReport(cells);
    }

    private static Outcome taking(double nanos) {
        return new Outcome.Measured(List.of(nanos), List.of(0.0));
    }
}
