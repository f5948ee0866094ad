package dev.escapement.governor.model;

import static dev.escapement.governor.model.Exploration.assertHolds;
import static dev.escapement.governor.model.Exploration.explore;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Explores every interleaving of the protocol with the real governor: read again, prepare, commit, record, start, final
 * status, release, lock recovery; with failures, refusals, clearances, deletions and lost runs, kills and pauses before
 * every write, stale reads, and two controllers that both believe they lead. The largest state spaces are explored in
 * {@code dev/nightly}.
 */
@Tag("exhaustive")
class ModelCheckTest {

    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void invariantsHoldForTwoControllersAndTwoRequests() {
        assertHolds(explore(
                "two controllers, two requests",
                ProtocolMutant.NONE,
                false,
                2,
                2,
                GroundTruth.withBudget(1, 1, 1, 1),
                9));
    }

    @Test
    void invariantsHoldForOneControllerAndThreeRequests() {
        assertHolds(explore(
                "one controller, three requests",
                ProtocolMutant.NONE,
                false,
                3,
                1,
                GroundTruth.withBudget(1, 0, 1, 0),
                9));
    }

    @Test
    void invariantsHoldWhenEntryIsRemovedAtAnyMoment() {
        assertHolds(explore(
                "two controllers, two requests, entry removed by force",
                ProtocolMutant.NONE,
                false,
                2,
                2,
                GroundTruth.withBudget(0, 0, 0, 0).withEntryLoss(1, 0),
                9));
    }

    @Test
    void invariantsHoldWhenUserDeletesEntryAtAnyMoment() {
        assertHolds(explore(
                "two controllers, two requests, entry deleted by a user",
                ProtocolMutant.NONE,
                false,
                2,
                2,
                GroundTruth.withBudget(1, 0, 0, 1).withEntryLoss(0, 1),
                9));
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
                mutant.concernsWaiting(),
                needsThree ? 3 : 2,
                needsThree ? 1 : 2,
                GroundTruth.withBudget(0, needsDeletion ? 1 : 0, 0, 0)
                        .withEntryLoss(needsRemoval(mutant) ? 1 : 0, mutant == ProtocolMutant.NO_FINALIZER ? 1 : 0),
                5);
        assertThat(report.violation()).isPresent();
    }

    private static boolean needsRemoval(ProtocolMutant mutant) {
        return switch (mutant) {
            case NO_CHECK_OF_RUNS, NO_CHECK_WHEN_RESUMING, CHECK_BEFORE_ACQUISITION, PENDING_OTHERS_IGNORED -> true;
            default -> false;
        };
    }
}
