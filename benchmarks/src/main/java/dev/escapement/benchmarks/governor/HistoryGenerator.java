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
 * Plays as many executions as are asked for, always over the same targets. The first ten bring one target into each
 * situation; after them anything may happen.
 */
public final class HistoryGenerator {

    /** The same in every system. */
    public static final int TARGETS = 1_000;

    /** On every target. */
    public static final int WORKFLOWS = 5;

    /** Any would do; a fixed one gives every fork the same history. */
    private static final long SEED = 20_261_115;

    /** If not one in so many is what is looked for, there is none: better to fail than to look for ever. */
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
     * A system that has seen that many executions.
     *
     * @param executions at least the ten of the situations
     */
    static LedgerSimulation generate(int executions) {
        HistoryGenerator histories = new HistoryGenerator();
        histories.arrangeSituations();
        int requests = 0;
        while (histories.simulation.executions().size() < executions) {
            histories.simulateRequest();
            if (++requests % REQUESTS_BETWEEN_SWEEPS == 0) {
                histories.simulation.removeExpired();
            }
        }
        histories.simulation.removeExpired();
        return histories.simulation;
    }

    /**
     * Questions that can be compared between systems: as many of each situation, in random order, and of each on one
     * target only, so that no system has more entries to reach for than another.
     */
    static GateInput[] comparableInputs(LedgerSimulation play, int ofEach) {
        Random random = new Random(SEED);
        List<GateInput> questions = new ArrayList<>();
        for (GateSituation situation : GateSituation.values()) {
            int met = randomInts(random, TARGETS)
                    .filter(number -> situation.matches(gateInput(play, 0, number)))
                    .findFirst()
                    .orElseThrow();
            randomInts(random, WORKFLOWS)
                    .mapToObj(workflow -> gateInput(play, workflow, met))
                    .filter(situation::matches)
                    .limit(ofEach)
                    .forEach(questions::add);
        }
        Collections.shuffle(questions, random);
        return questions.toArray(GateInput[]::new);
    }

    /** Questions as they come: target and workflow are drawn from all. */
    static GateInput[] randomInputs(LedgerSimulation play, int count) {
        Random random = new Random(SEED);
        return randomInts(random, TARGETS)
                .mapToObj(target -> gateInput(play, random.nextInt(WORKFLOWS), target))
                .limit(count)
                .toArray(GateInput[]::new);
    }

    private static IntStream randomInts(Random random, int bound) {
        return random.ints(MAX_DRAWS, 0, bound);
    }

    /** No part of the request is the same object as in the ledger: in service it comes from elsewhere. */
    private static GateInput gateInput(LedgerSimulation play, int workflow, int target) {
        return play.gateInput(play.newRequest(newWorkflow(workflow), newTarget(target)));
    }

    /** A new object each time. */
    static Target newTarget(int number) {
        return Target.parse("shop/deployment/service-" + number);
    }

    /** A new object each time. */
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

    /** Most complete; but of ten targets, on one hardly any gets started, and on one nearly half of them break. */
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
