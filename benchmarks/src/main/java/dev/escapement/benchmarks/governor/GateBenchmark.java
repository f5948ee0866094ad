package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.GateInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the cost of one decision, by its result, with and without texts. The texts include the decision. */
@State(Scope.Thread)
public class GateBenchmark {

    /** Set by JMH. */
    @Param
    public GateSituation situation = GateSituation.ADMITTED;

    private GateInput input = inputFor(situation);

    /** Request and entry share no objects, as in production: their values are equal, not identical. */
    private static GateInput inputFor(GateSituation situation) {
        LedgerSimulation simulation = new LedgerSimulation();
        situation.arrange(simulation, HistoryGenerator.newTarget(0));
        return simulation.gateInput(
                simulation.newRequest(HistoryGenerator.newWorkflow(0), HistoryGenerator.newTarget(0)));
    }

    /** Brings the target into the situation. */
    @Setup
    public void arrange() {
        input = inputFor(situation);
        if (!situation.matches(input)) {
            throw new IllegalStateException("expected " + situation + " but got " + decide());
        }
    }

    /** Admit or Skip. */
    @Benchmark
    public GateDecision decide() {
        return LedgerSimulation.decide(input);
    }

    /** Skip, with its message. */
    @Benchmark
    public String message() {
        return ((GateDecision.Skip) decide()).message();
    }

    /** Admit or Skip, with every check, its inputs and its result. */
    @Benchmark
    public GateExplanation explanation() {
        return decide().explanation();
    }
}
