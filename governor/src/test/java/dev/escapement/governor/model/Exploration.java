package dev.escapement.governor.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;

/** Explores every state of the run protocol with a budget of failures. */
final class Exploration {

    private Exploration() {}

    /** Explores all states and prints their number, or the shortest way to a violation. */
    static StateExplorer.ExplorationReport explore(
            String name,
            ProtocolMutant mutant,
            boolean requestsWait,
            int executions,
            int controllers,
            GroundTruth budget,
            int ledgerBound) {
        Predicate<ModelState> beyond =
                state -> state.ledgerVersions() > ledgerBound || state.truth.runs() > ledgerBound;
        StateExplorer.ExplorationReport report = new StateExplorer(new ControllerModel(mutant, requestsWait), beyond)
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

    /** Fails if a state violates an invariant, or cannot settle any more. */
    static void assertHolds(StateExplorer.ExplorationReport report) {
        assertThat(report.violation())
                .describedAs(String.join("\n", report.trace()))
                .isEmpty();
        assertThat(report.statesAtBound()).describedAs("states at the bound").isZero();
        assertThat(report.stuckStates())
                .describedAs(String.join("\n", report.trace()))
                .isZero();
    }
}
