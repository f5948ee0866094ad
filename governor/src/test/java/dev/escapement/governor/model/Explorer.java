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

/** Visits every world that can be reached, breadth first, so that the first way to a bad one is a shortest one. */
final class Explorer {

    /**
     * What was found.
     *
     * @param states how many worlds were seen
     * @param violation what must not be, if it can be
     * @param trace the shortest way to it, or to a world from which nothing can be settled any more
     * @param stuck how many worlds cannot be settled any more
     * @param cut how many worlds lie at the bound, with more behind them that was not explored
     */
    record Report(int states, Optional<String> violation, List<String> trace, int stuck, int cut) {}

    private final Protocol protocol;
    private final Predicate<World> beyond;
    private final Map<World, Integer> numbers = new HashMap<>();
    private final List<World> worlds = new ArrayList<>();
    private final List<int[]> nexts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int[] parents = new int[1024];

    /** @param beyond the worlds at the bound: they are judged, but nothing is explored behind them */
    Explorer(Protocol protocol, Predicate<World> beyond) {
        this.protocol = protocol;
        this.beyond = beyond;
    }

    Report explore(World start) {
        number(start, -1, "");
        for (int current = 0; current < worlds.size(); current++) {
            World world = worlds.get(current);
            Optional<String> violation = Judge.violation(world);
            if (violation.isPresent()) {
                return new Report(worlds.size(), violation, trace(current), 0, 0);
            }
            nexts.add(beyond.test(world) ? new int[0] : expand(world, current));
        }
        int[] stuck = stuck();
        return new Report(
                worlds.size(), Optional.empty(), stuck.length == 0 ? List.of() : trace(stuck[0]), stuck.length, (int)
                        worlds.stream().filter(beyond).count());
    }

    private int[] expand(World world, int current) {
        List<Integer> found = new ArrayList<>();
        protocol.steps(world, (note, next) -> found.add(number(next, current, note)));
        return found.stream().mapToInt(Integer::intValue).distinct().toArray();
    }

    private int number(World world, int parent, String note) {
        Integer known = numbers.putIfAbsent(world, worlds.size());
        if (known != null) {
            return known;
        }
        int fresh = worlds.size();
        worlds.add(world);
        notes.add(note);
        if (fresh == parents.length) {
            parents = Arrays.copyOf(parents, fresh * 2);
        }
        parents[fresh] = parent;
        return fresh;
    }

    /** The worlds from which no settled one can be reached: backwards from the settled ones, all others. */
    private int[] stuck() {
        int[][] before = reversed();
        boolean[] canSettle = new boolean[worlds.size()];
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        for (int i = 0; i < worlds.size(); i++) {
            if (beyond.test(worlds.get(i)) || Judge.isSettled(worlds.get(i))) {
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
        return IntStream.range(0, worlds.size()).filter(i -> !canSettle[i]).toArray();
    }

    private int[][] reversed() {
        int[] counts = new int[worlds.size()];
        nexts.forEach(next -> Arrays.stream(next).forEach(to -> counts[to]++));
        int[][] before = new int[worlds.size()][];
        Arrays.setAll(before, i -> new int[counts[i]]);
        for (int from = 0; from < nexts.size(); from++) {
            for (int to : nexts.get(from)) {
                before[to][--counts[to]] = from;
            }
        }
        return before;
    }

    private List<String> trace(int world) {
        List<String> trace = new ArrayList<>();
        for (int at = world; parents[at] >= 0; at = parents[at]) {
            trace.add(notes.get(at));
        }
        Collections.reverse(trace);
        return trace;
    }
}
