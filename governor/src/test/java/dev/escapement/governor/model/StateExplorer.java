package dev.escapement.governor.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Visits every reachable state, breadth first, so that the trace to a violation is a shortest one. */
final class StateExplorer {

    /**
     * The result of an exploration.
     *
     * @param states the number of visited states
     * @param violation the first violation, if any
     * @param trace the shortest way to the violation, or to a state that cannot settle
     * @param stuckStates the number of states that cannot settle
     * @param statesAtBound the number of states at the bound, whose successors were not explored
     */
    record ExplorationReport(
            int states, Optional<String> violation, List<String> trace, int stuckStates, int statesAtBound) {}

    private final ControllerModel protocol;
    private final Predicate<ModelState> isAtBound;
    private final Map<ModelState, Integer> stateIndexes = new HashMap<>();
    private final List<ModelState> states = new ArrayList<>();
    private final List<int[]> successors = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int[] parents = new int[1024];

    /** @param isAtBound selects the states that are checked without exploring their successors */
    StateExplorer(ControllerModel protocol, Predicate<ModelState> isAtBound) {
        this.protocol = protocol;
        this.isAtBound = isAtBound;
    }

    ExplorationReport explore(ModelState start) {
        register(start, -1, "");
        for (int current = 0; current < states.size(); current++) {
            ModelState state = states.get(current);
            Optional<String> violation = InvariantCheck.findViolation(state);
            if (violation.isPresent()) {
                return new ExplorationReport(states.size(), violation, trace(current), 0, 0);
            }
            successors.add(isAtBound.test(state) ? new int[0] : expand(state, current));
        }
        int[] stuck = findStuckStates();
        return new ExplorationReport(
                states.size(), Optional.empty(), stuck.length == 0 ? List.of() : trace(stuck[0]), stuck.length, (int)
                        states.stream().filter(isAtBound).count());
    }

    private int[] expand(ModelState state, int current) {
        List<Integer> found = new ArrayList<>();
        protocol.addSteps(state, (note, next) -> found.add(register(next, current, note)));
        return found.stream().mapToInt(Integer::intValue).distinct().toArray();
    }

    private int register(ModelState state, int parent, String note) {
        Integer known = stateIndexes.putIfAbsent(state, states.size());
        if (known != null) {
            return known;
        }
        int fresh = states.size();
        states.add(state);
        notes.add(note);
        if (fresh == parents.length) {
            parents = Arrays.copyOf(parents, fresh * 2);
        }
        parents[fresh] = parent;
        return fresh;
    }

    /** Returns the states from which no settled state can be reached. */
    private int[] findStuckStates() {
        int[][] before = reverseEdges();
        boolean[] canSettle = new boolean[states.size()];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int i = 0; i < states.size(); i++) {
            if (isAtBound.test(states.get(i)) || InvariantCheck.isSettled(states.get(i))) {
                canSettle[i] = true;
                queue.add(i);
            }
        }
        while (!queue.isEmpty()) {
            for (int previous : before[queue.remove()]) {
                if (!canSettle[previous]) {
                    canSettle[previous] = true;
                    queue.add(previous);
                }
            }
        }
        return IntStream.range(0, states.size()).filter(i -> !canSettle[i]).toArray();
    }

    private int[][] reverseEdges() {
        int[] counts = new int[states.size()];
        successors.forEach(next -> Arrays.stream(next).forEach(to -> counts[to]++));
        int[][] before = new int[states.size()][];
        Arrays.setAll(before, i -> new int[counts[i]]);
        for (int from = 0; from < successors.size(); from++) {
            for (int to : successors.get(from)) {
                before[to][--counts[to]] = from;
            }
        }
        return before;
    }

    private List<String> trace(int state) {
        List<String> trace = new ArrayList<>();
        for (int at = state; parents[at] >= 0; at = parents[at]) {
            trace.add(notes.get(at));
        }
        Collections.reverse(trace);
        return trace;
    }
}
