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

/** Measures the cost of one decision with a history, for requests that were drawn before. */
@State(Scope.Thread)
public class LedgerBenchmark {

    private static final int EXECUTIONS_TO_WARM_UP = 100_000;
    private static final int INPUTS_PER_SITUATION = 100;
    private static final int INPUT_COUNT = INPUTS_PER_SITUATION * GateSituation.values().length;

    /** The number of past executions, from 10. JMH sets it. */
    @Param("10")
    public int executions;

    private LedgerSimulation simulation = new LedgerSimulation();
    private GateInput[] comparableInputs = {};
    private GateInput[] randomInputs = {};
    private int next;

    /** Simulates the past executions. */
    @Setup
    public void generateHistory() {
        // Otherwise a long history would warm up the code better than a short one.
        simulation = HistoryGenerator.generate(EXECUTIONS_TO_WARM_UP);
        simulation = HistoryGenerator.generate(executions);
        comparableInputs = HistoryGenerator.comparableInputs(simulation, INPUTS_PER_SITUATION);
        randomInputs = HistoryGenerator.randomInputs(simulation, INPUT_COUNT);
    }

    /** A mix of situations, with the entry given. */
    @Benchmark
    public GateDecision mix() {
        return LedgerSimulation.decide(comparableInputs[nextIndex()]);
    }

    /** The same mix of situations for every history, with the entry looked up by target. */
    @Benchmark
    public GateDecision alike() {
        return simulation.decideRequest(comparableInputs[nextIndex()].request());
    }

    /** Random requests, with the entry looked up by target. */
    @Benchmark
    public GateDecision any() {
        return simulation.decideRequest(randomInputs[nextIndex()].request());
    }

    /** The requests of {@link #comparableInputs}, without a ledger. */
    @Benchmark
    public Optional<GateCheck> listThenFilter() {
        return new ListThenFilterGate(simulation.executions(), simulation.clearances())
                .decide(comparableInputs[nextIndex()].request(), LedgerSimulation.POLICY, simulation.now());
    }

    private int nextIndex() {
        next = next + 1 == INPUT_COUNT ? 0 : next + 1;
        return next;
    }
}
