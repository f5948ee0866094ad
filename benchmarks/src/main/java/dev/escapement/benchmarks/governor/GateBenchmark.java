package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateExplanation;
import dev.escapement.governor.gate.GateInput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What one decision costs, by what it meets, with and without words. The words include the decision. */
@State(Scope.Thread)
public class GateBenchmark {

    /** JMH sets it. */
    @Param
    public GateSituation situation = GateSituation.ADMITTED;

    private GateInput input = inputFor(situation);

    /** The request comes from elsewhere than the entry: equal, never the same objects. */
    private static GateInput inputFor(GateSituation situation) {
        LedgerSimulation play = new LedgerSimulation();
        situation.arrange(play, HistoryGenerator.newTarget(0));
        return play.gateInput(play.newRequest(HistoryGenerator.newWorkflow(0), HistoryGenerator.newTarget(0)));
    }

    /** Brings the target there. */
    @Setup
    public void arrange() {
        input = inputFor(situation);
        if (!situation.matches(input)) {
            throw new IllegalStateException("it is not " + situation + " but " + decide());
        }
    }

    /** Admit or Skip. */
    @Benchmark
    public GateDecision decide() {
        return LedgerSimulation.decide(input);
    }

    /** Skip, and why in a sentence. */
    @Benchmark
    public String message() {
        return ((GateDecision.Skip) decide()).message();
    }

    /** Admit or Skip, and every check with its inputs and verdict. */
    @Benchmark
    public GateExplanation explanation() {
        return decide().explanation();
    }
}
