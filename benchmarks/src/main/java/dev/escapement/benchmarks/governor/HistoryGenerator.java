package dev.escapement.benchmarks.governor;

import dev.escapement.governor.Target;
import dev.escapement.governor.gate.GateDecision;
import dev.escapement.governor.gate.GateInput;
import dev.escapement.governor.gate.GateRequest;
import dev.escapement.governor.ledger.ExecutionOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Simulates so many executions, always over the same targets. The first ten bring one target into each situation; the
 * others are random.
 */
public final class HistoryGenerator {

    /** The same for every number of executions. */
    public static final int TARGETS = 1_000;

    /** Workflows of every target. */
    public static final int WORKFLOWS = 5;

    /** Fixed, so that every fork has the same history. */
    private static final long SEED = 20_261_115;

    /** Bounds the search for an input that matches a situation. */
    private static final int MAX_DRAWS = 1_000_000;

    private static final int MAX_RUNNING = 20;
    private static final int REQUESTS_BETWEEN_SWEEPS = 1_000;
    private static final int MAX_MILLIS_BETWEEN_REQUESTS = 2_000;

    private final Random random = new Random(SEED);
    private final LedgerSimulation simulation = new LedgerSimulation();
    private final List<Target> targets =
            IntStream.range(0, TARGETS).mapToObj(HistoryGenerator::newTarget).toList();
    private final Deque<LedgerSimulation.RunningExecution> running = new ArrayDeque<>();

    private HistoryGenerator() {}

    /**
     * Returns a simulation with so many past executions.
     *
     * @param executions at least ten, for the situations
     */
    static LedgerSimulation generate(int executions) {
        HistoryGenerator generator = new HistoryGenerator();
        generator.arrangeSituations();
        int requests = 0;
        while (generator.simulation.executions().size() < executions) {
            generator.simulateRequest();
            if (++requests % REQUESTS_BETWEEN_SWEEPS == 0) {
                generator.simulation.removeExpired();
            }
        }
        generator.simulation.removeExpired();
        return generator.simulation;
    }

    /**
     * Returns inputs that are comparable between histories: equally many of each situation, in random order, each
     * situation on one target only, so that the number of accessed entries is the same.
     */
    static GateInput[] comparableInputs(LedgerSimulation simulation, int perSituation) {
        Random random = new Random(SEED);
        List<GateInput> inputs = new ArrayList<>();
        for (GateSituation situation : GateSituation.values()) {
            int matching = randomInts(random, TARGETS)
                    .filter(number -> situation.matches(gateInput(simulation, 0, number)))
                    .findFirst()
                    .orElseThrow();
            randomInts(random, WORKFLOWS)
                    .mapToObj(workflow -> gateInput(simulation, workflow, matching))
                    .filter(situation::matches)
                    .limit(perSituation)
                    .forEach(inputs::add);
        }
        Collections.shuffle(inputs, random);
        return inputs.toArray(GateInput[]::new);
    }

    /** Returns inputs with random targets and workflows. */
    static GateInput[] randomInputs(LedgerSimulation simulation, int count) {
        Random random = new Random(SEED);
        return randomInts(random, TARGETS)
                .mapToObj(target -> gateInput(simulation, random.nextInt(WORKFLOWS), target))
                .limit(count)
                .toArray(GateInput[]::new);
    }

    private static IntStream randomInts(Random random, int bound) {
        return random.ints(MAX_DRAWS, 0, bound);
    }

    /** The request shares no objects with the ledger, as in production. */
    private static GateInput gateInput(LedgerSimulation simulation, int workflow, int target) {
        return simulation.gateInput(simulation.newRequest(newWorkflow(workflow), newTarget(target)));
    }

    /** Returns a new object each time. */
    static Target newTarget(int number) {
        return Target.parse("shop/deployment/service-" + number);
    }

    /** Returns a new object each time. */
    static String newWorkflow(int number) {
        return "workflow-" + number;
    }

    private void arrangeSituations() {
        Iterator<Target> unused = targets.iterator();
        for (GateSituation situation : GateSituation.values()) {
            situation.arrange(simulation, unused.next());
        }
    }

    private void simulateRequest() {
        simulation.advance(Duration.ofMillis(1 + random.nextInt(MAX_MILLIS_BETWEEN_REQUESTS)));
        GateRequest request =
                simulation.newRequest(newWorkflow(random.nextInt(WORKFLOWS)), targets.get(random.nextInt(TARGETS)));
        if (simulation.decideRequest(request) instanceof GateDecision.Skip skip) {
            if (!skip.reason().isTemporary() && random.nextInt(4) == 0) {
                simulation.clear(request.target());
            }
        } else {
            running.add(simulation.start(request));
        }
        if (running.size() > MAX_RUNNING) {
            LedgerSimulation.RunningExecution oldest = running.remove();
            simulation.finish(oldest, drawOutcome(oldest));
        }
    }

    /**
     * Most executions complete; on one of ten targets hardly any starts, and on another one nearly half of them fail.
     */
    private ExecutionOutcome drawOutcome(LedgerSimulation.RunningExecution ending) {
        int percent = random.nextInt(100);
        String name = ending.held().target().name();
        int completed = name.endsWith("0") ? 10 : name.endsWith("1") ? 50 : 80;
        if (percent < completed) {
            return new ExecutionOutcome.Completed();
        } else if (percent < 90 && !name.endsWith("1")) {
            return simulation.startFailure(ending);
        } else if (percent < 95) {
            return new ExecutionOutcome.FailedDuringExecution("TaskFailed");
        }
        return percent < 97 ? new ExecutionOutcome.Lost() : new ExecutionOutcome.Withdrawn();
    }
}
