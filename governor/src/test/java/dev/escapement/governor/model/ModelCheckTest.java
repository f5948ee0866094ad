package dev.escapement.governor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of the run protocol over the real governor: second look, prepare, commit, record, start, final
 * status, release, heal; with failures, refusals, clearing, deletion and lost runs, kills and endless pauses before
 * every write, reads of any age, and two controllers that both believe they lead.
 */
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
                        .orElse("no violation, %d cannot settle".formatted(report.stuck())),
                report.trace().isEmpty() ? "" : "\n  " + String.join("\n  ", report.trace()));
        return report;
    }

    private static void holds(Explorer.Report report) {
        assertThat(report.violation())
                .describedAs(String.join("\n", report.trace()))
                .isEmpty();
        assertThat(report.stuck())
                .describedAs(String.join("\n", report.trace()))
                .isZero();
    }

    @Test
    void twoControllersTwoRequests() {
        holds(explore("two controllers", Mutant.NONE, 2, 2, Truth.withBudget(0, 0, 0, 0), 5));
    }

    @Test
    void twoControllersWithDeletionAndClearing() {
        holds(explore("deletion and clearing", Mutant.NONE, 2, 2, Truth.withBudget(1, 1, 0, 0), 4));
    }

    @Test
    void twoControllersWithLostAndRefusedRuns() {
        holds(explore("lost and refused runs", Mutant.NONE, 2, 2, Truth.withBudget(1, 0, 1, 1), 4));
    }

    @Test
    void threeRequestsAndOneControllerWithEverything() {
        holds(explore("three requests", Mutant.NONE, 3, 1, Truth.withBudget(1, 1, 1, 1), 6));
    }
}
