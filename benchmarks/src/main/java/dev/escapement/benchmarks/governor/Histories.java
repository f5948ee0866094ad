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
public final class Histories {

    /** The same in every system. */
    public static final int TARGETS = 1_000;

    /** On every target. */
    public static final int WORKFLOWS = 5;

    /** Any would do; a fixed one gives every fork the same history. */
    private static final long SEED = 20_261_115;

    /** If not one in so many is what is looked for, there is none: better to fail than to look for ever. */
    private static final int MOST_DRAWS = 1_000_000;

    private static final int RUNNING_AT_A_TIME = 20;
    private static final int REQUESTS_BETWEEN_SWEEPS = 1_000;
    private static final int LONGEST_MILLIS_BETWEEN_REQUESTS = 2_000;

    private final Random random = new Random(SEED);
    private final Play play = new Play();
    private final List<Target> targets =
            IntStream.range(0, TARGETS).mapToObj(Histories::target).toList();
    private final Deque<Play.Running> running = new ArrayDeque<>();

    private Histories() {}

    /**
     * A system that has seen that many executions.
     *
     * @param executions at least the ten of the situations
     */
    static Play of(int executions) {
        Histories histories = new Histories();
        histories.arrangeSituations();
        int requests = 0;
        while (histories.play.executions().size() < executions) {
            histories.step();
            if (++requests % REQUESTS_BETWEEN_SWEEPS == 0) {
                histories.play.sweep();
            }
        }
        histories.play.sweep();
        return histories.play;
    }

    /**
     * Questions that can be compared between systems: as many of each situation, in random order, and of each on one
     * target only, so that no system has more entries to reach for than another.
     */
    static GateInput[] alike(Play play, int ofEach) {
        Random random = new Random(SEED);
        List<GateInput> questions = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            int met = drawn(random, TARGETS)
                    .filter(number -> situation.isMetBy(question(play, 0, number)))
                    .findFirst()
                    .orElseThrow();
            drawn(random, WORKFLOWS)
                    .mapToObj(workflow -> question(play, workflow, met))
                    .filter(situation::isMetBy)
                    .limit(ofEach)
                    .forEach(questions::add);
        }
        Collections.shuffle(questions, random);
        return questions.toArray(GateInput[]::new);
    }

    /** Questions as they come: target and workflow are drawn from all. */
    static GateInput[] any(Play play, int count) {
        Random random = new Random(SEED);
        return drawn(random, TARGETS)
                .mapToObj(target -> question(play, random.nextInt(WORKFLOWS), target))
                .limit(count)
                .toArray(GateInput[]::new);
    }

    private static IntStream drawn(Random random, int bound) {
        return random.ints(MOST_DRAWS, 0, bound);
    }

    /** No part of the request is the same object as in the ledger: in service it comes from elsewhere. */
    private static GateInput question(Play play, int workflow, int target) {
        return play.question(play.request(workflow(workflow), target(target)));
    }

    /** A new object each time. */
    static Target target(int number) {
        return Target.parse("shop/deployment/service-" + number);
    }

    /** A new object each time. */
    static String workflow(int number) {
        return "workflow-" + number;
    }

    private void arrangeSituations() {
        Iterator<Target> unused = targets.iterator();
        for (Situation situation : Situation.values()) {
            situation.arrange(play, unused.next());
        }
    }

    private void step() {
        play.pass(Duration.ofMillis(1 + random.nextInt(LONGEST_MILLIS_BETWEEN_REQUESTS)));
        GateRequest request = play.request(workflow(random.nextInt(WORKFLOWS)), targets.get(random.nextInt(TARGETS)));
        if (play.ask(request) instanceof GateDecision.Skip skip) {
            if (!skip.reason().isTemporary() && random.nextInt(4) == 0) {
                play.clear(request.target());
            }
        } else {
            running.add(play.start(request));
        }
        if (running.size() > RUNNING_AT_A_TIME) {
            Play.Running oldest = running.remove();
            play.end(oldest, outcome(oldest));
        }
    }

    /** Most complete; but of ten targets, on one hardly any gets started, and on one nearly half of them break. */
    private ExecutionOutcome outcome(Play.Running ending) {
        int percent = random.nextInt(100);
        String name = ending.held().target().name();
        int completed = name.endsWith("0") ? 10 : name.endsWith("1") ? 50 : 80;
        if (percent < completed) {
            return new ExecutionOutcome.Completed();
        } else if (percent < 90 && !name.endsWith("1")) {
            return play.couldNotStart(ending);
        } else if (percent < 95) {
            return new ExecutionOutcome.FailedDuringExecution("TaskFailed");
        }
        return percent < 97 ? new ExecutionOutcome.Lost() : new ExecutionOutcome.Withdrawn();
    }
}
