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
    public Situation situation = Situation.ADMITTED;

    private GateInput question = asked(situation);

    /** The request comes from elsewhere than the entry: equal, never the same objects. */
    private static GateInput asked(Situation situation) {
        Play play = new Play();
        situation.arrange(play, Histories.target(0));
        return play.question(play.request(Histories.workflow(0), Histories.target(0)));
    }

    /** Brings the target there. */
    @Setup
    public void arrange() {
        question = asked(situation);
        if (!situation.isMetBy(question)) {
            throw new IllegalStateException("it is not " + situation + " but " + decide());
        }
    }

    /** Admit or Skip. */
    @Benchmark
    public GateDecision decide() {
        return Play.decide(question);
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
