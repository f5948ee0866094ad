package dev.escapement.governor.model;

import static dev.escapement.governor.model.Exploration.assertHolds;
import static dev.escapement.governor.model.Exploration.explore;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Like {@link ModelCheckTest}, with requests that wait. A class of its own, so that both run at once. */
@Tag("exhaustive")
class WaitModelCheckTest {

    /** Oldest first, never two, never lost, never after its deadline. */
    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void invariantsHoldForTwoControllersWithRequestsThatWait() {
        assertHolds(explore(
                "two controllers, two requests that wait",
                ProtocolMutant.NONE,
                true,
                2,
                2,
                GroundTruth.withBudget(0, 1, 0, 0),
                9));
    }

    @Test
    void invariantsHoldForOneControllerWithRequestsThatWait() {
        assertHolds(explore(
                "one controller, three requests that wait",
                ProtocolMutant.NONE,
                true,
                3,
                1,
                GroundTruth.withBudget(0, 0, 0, 0),
                9));
    }
}
