package dev.escapement.engine.sim;

import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.engine.port.Journal;
import dev.escapement.governor.ledger.ExecutionRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

final class SimulatedJournal implements Journal {

    final List<Transition> transitions = new ArrayList<>();
    private final List<Runnable> subscribers = new ArrayList<>();

    void append(Transition transition) {
        transitions.add(transition);
        List.copyOf(subscribers).forEach(Runnable::run);
    }

    /**
     * Requires that no transition is there twice that can happen only once. An execution may be delayed again for an
     * earlier reason, after another one in between.
     */
    void checkNothingTwice() {
        Set<String> seen = new HashSet<>();
        Map<ExecutionRef, String> delays = new HashMap<>();
        for (Transition transition : transitions) {
            transition.execution().ifPresent(execution -> {
                String what = transition.type() + " of " + execution;
                boolean isNew = transition.type() == TransitionType.WorkflowPending
                        ? !transition.reason().equals(delays.put(execution, transition.reason()))
                        : seen.add(what);
                if (!isNew) {
                    throw new AssertionError("in the journal twice: " + what);
                }
            });
        }
    }

    @Override
    public List<Entry> read(String after, int limit) {
        int from = after.equals(START) ? 0 : parsePosition(after);
        return IntStream.range(from, Math.min(transitions.size(), from + limit))
                .mapToObj(i -> new Entry(Integer.toString(i + 1), transitions.get(i)))
                .toList();
    }

    private static int parsePosition(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException invalid) {
            throw new IllegalArgumentException("\"" + text + "\" is not a position of this journal", invalid);
        }
    }

    @Override
    public String endPosition() {
        return Integer.toString(transitions.size());
    }

    @Override
    public Subscription onAppend(Runnable callback) {
        subscribers.add(callback);
        return () -> subscribers.remove(callback);
    }
}
