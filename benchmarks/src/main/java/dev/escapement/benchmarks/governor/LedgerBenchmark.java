package dev.escapement.benchmarks.governor;

import dev.escapement.governor.gate.GateCheck;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateInput;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What one decision costs in a system with a past, for requests that were drawn before. */
@State(Scope.Thread)
public class LedgerBenchmark {

    private static final int EXECUTIONS_TO_WARM_UP = 100_000;
    private static final int OF_EACH_SITUATION = 100;
    private static final int QUESTIONS = OF_EACH_SITUATION * Situation.values().length;

    /** How many executions there have been. JMH sets it: from 10. */
    @Param("10")
    public int executions;

    private Play play = new Play();
    private GateInput[] alike = {};
    private GateInput[] any = {};
    private int next;

    /** Plays the past, execution by execution. */
    @Setup
    public void playThePast() {
        // Else a long past would have warmed the code up better than a short one.
        play = Histories.of(EXECUTIONS_TO_WARM_UP);
        play = Histories.of(executions);
        alike = Histories.alike(play, OF_EACH_SITUATION);
        any = Histories.any(play, QUESTIONS);
    }

    /** A mix of situations, with the entry at hand. */
    @Benchmark
    public GateDecision mix() {
        return Play.decide(alike[next()]);
    }

    /** The same mix of situations in every system, with the entry looked up by target. */
    @Benchmark
    public GateDecision alike() {
        return play.ask(alike[next()].request());
    }

    /** Requests as they come, with the entry looked up by target. */
    @Benchmark
    public GateDecision any() {
        return play.ask(any[next()].request());
    }

    /** The requests of {@link #alike}, without a ledger. */
    @Benchmark
    public Optional<GateCheck> listThenFilter() {
        return new ListThenFilter(play.executions(), play.clearances())
                .decide(alike[next()].request(), Play.POLICY, play.now());
    }

    private int next() {
        next = next + 1 == QUESTIONS ? 0 : next + 1;
        return next;
    }
}
