package dev.escapement.governor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores every interleaving of the protocol with the real governor: read again, prepare, commit, record, start, final
 * status, release, lock recovery; with failures, refusals, clearances, deletions and lost runs, kills and pauses before
 * every write, stale reads, and two controllers that both believe they lead.
 */
@Tag("exhaustive")
class ModelCheckTest {

    private static StateExplorer.ExplorationReport explore(
            String name, ProtocolMutant mutant, int executions, int controllers, GroundTruth budget, int ledgerBound) {
        Predicate<ModelState> beyond =
                state -> state.ledgerVersions() > ledgerBound || state.truth.runs() > ledgerBound;
        StateExplorer.ExplorationReport report = new StateExplorer(new ControllerModel(mutant), beyond)
                .explore(ModelState.initial(
                        new ModelState.SharedValues(),
                        ControllerWrites.initialEntry(),
                        executions,
                        controllers,
                        budget));
        System.out.printf(
                "model check, %s: %,d states, %s%s%n",
                name,
                report.states(),
                report.violation()
                        .map(violation -> "BROKEN: %s, in %d steps"
                                .formatted(violation, report.trace().size()))
                        .orElse("all of them, no violation, %d cannot settle".formatted(report.stuckStates())),
                report.trace().isEmpty() ? "" : "\n  " + String.join("\n  ", report.trace()));
        return report;
    }

    private static void assertHolds(StateExplorer.ExplorationReport report) {
        assertThat(report.violation())
                .describedAs(String.join("\n", report.trace()))
                .isEmpty();
        assertThat(report.statesAtBound()).describedAs("states at the bound").isZero();
        assertThat(report.stuckStates())
                .describedAs(String.join("\n", report.trace()))
                .isZero();
    }

    @Test
    void invariantsHoldForTwoControllersAndTwoRequests() {
        assertHolds(explore(
                "two controllers, two requests", ProtocolMutant.NONE, 2, 2, GroundTruth.withBudget(1, 1, 1, 1), 9));
    }

    @Test
    void invariantsHoldForOneControllerAndThreeRequests() {
        assertHolds(explore(
                "one controller, three requests", ProtocolMutant.NONE, 3, 1, GroundTruth.withBudget(1, 0, 1, 0), 9));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsViolationInEveryMutant(ProtocolMutant mutant) {
        boolean needsThree = mutant == ProtocolMutant.SKIPPED_COUNTS_AS_PREVIOUS;
        boolean needsDeletion =
                mutant == ProtocolMutant.FORGET_WHAT_WAS_LOST || mutant == ProtocolMutant.LOST_ON_A_STALE_VIEW;
        StateExplorer.ExplorationReport report = explore(
                mutant.name() + " (" + mutant.description + ")",
                mutant,
                needsThree ? 3 : 2,
                needsThree ? 1 : 2,
                GroundTruth.withBudget(0, needsDeletion ? 1 : 0, 0, 0),
                5);
        assertThat(report.violation()).isPresent();
    }
}
