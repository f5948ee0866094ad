package dev.escapement.governor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every interleaving of the run protocol over the real governor: second look, prepare, commit, record, start, final
 * status, release, heal; with failures, refusals, clearing, deletion and lost runs, kills and endless pauses before
 * every write, reads of any age, and two controllers that both believe they lead.
 */
@Tag("exhaustive")
class ModelCheckTest {

    private static Explorer.Report explore(
            String name, Mutant mutant, int executions, int controllers, Truth budget, int ledgerBound) {
        Predicate<World> beyond = world -> world.ledgerVersions() > ledgerBound || world.truth.runs() > ledgerBound;
        Explorer.Report report = new Explorer(new Protocol(mutant), beyond)
                .explore(World.start(new World.Values(), Writes.freshEntry(), executions, controllers, budget));
        System.out.printf(
                "model check, %s: %,d states, %s%s%n",
                name,
                report.states(),
                report.violation()
                        .map(violation -> "BROKEN: %s, in %d steps"
                                .formatted(violation, report.trace().size()))
                        .orElse("all of them, no violation, %d cannot settle".formatted(report.stuck())),
                report.trace().isEmpty() ? "" : "\n  " + String.join("\n  ", report.trace()));
        return report;
    }

    private static void holds(Explorer.Report report) {
        assertThat(report.violation())
                .describedAs(String.join("\n", report.trace()))
                .isEmpty();
        assertThat(report.cut()).describedAs("worlds at the bound").isZero();
        assertThat(report.stuck())
                .describedAs(String.join("\n", report.trace()))
                .isZero();
    }

    @Test
    void twoControllersAndTwoRequestsWithFailuresClearingDeletionLossAndRefusal() {
        holds(explore("two controllers, two requests", Mutant.NONE, 2, 2, Truth.withBudget(1, 1, 1, 1), 9));
    }

    @Test
    void oneControllerAndThreeRequestsWithFailuresAndClearing() {
        holds(explore("one controller, three requests", Mutant.NONE, 3, 1, Truth.withBudget(1, 0, 1, 0), 9));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyDetailCarriesWeight(Mutant mutant) {
        boolean needsThree = mutant == Mutant.SKIPPED_COUNTS_AS_PREVIOUS;
        boolean needsDeletion = mutant == Mutant.FORGET_WHAT_WAS_LOST || mutant == Mutant.LOST_ON_A_STALE_VIEW;
        Explorer.Report report = explore(
                mutant.name() + " (" + mutant.words + ")",
                mutant,
                needsThree ? 3 : 2,
                needsThree ? 1 : 2,
                Truth.withBudget(0, needsDeletion ? 1 : 0, 0, 0),
                5);
        assertThat(report.violation()).isPresent();
    }
}
