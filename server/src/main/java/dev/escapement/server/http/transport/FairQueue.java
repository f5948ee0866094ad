package dev.escapement.server.http.transport;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks of several flows, taken in turn by flow. Within a flow the newest is taken first: its client still waits for
 * it. A full queue drops the oldest task of its longest flow. Not safe for use by several threads.
 *
 * @param <F> identifies a flow by its {@code equals}
 */
final class FairQueue<F, T> {

    /** A task that was taken and runs until {@link #finish}. */
    record Taken<F, T>(F flow, T task) {}

    private final int capacity;
    private final int maxRunningPerFlow;

    /** Flows with waiting tasks, in the order of their turns. */
    private final Map<F, Deque<T>> waitingByFlow = new LinkedHashMap<>();

    private final Map<F, Integer> runningByFlow = new HashMap<>();

    private int size;

    /**
     * Creates an empty queue.
     *
     * @param capacity the maximum number of waiting tasks of all flows together, from 1
     * @param maxRunningPerFlow the maximum number of tasks of one flow that are taken and not finished, from 1
     */
    FairQueue(int capacity, int maxRunningPerFlow) {
        if (capacity < 1 || maxRunningPerFlow < 1) {
            throw new IllegalArgumentException("capacity is %d and maxRunningPerFlow is %d, both must be at least 1"
                    .formatted(capacity, maxRunningPerFlow));
        }
        this.capacity = capacity;
        this.maxRunningPerFlow = maxRunningPerFlow;
    }

    /**
     * Adds a task.
     *
     * @return the waiting task that is dropped for it, if the queue was full
     */
    Optional<T> add(F flow, T task) {
        Optional<T> dropped = size == capacity ? Optional.of(dropOldestOfLongestFlow()) : Optional.empty();
        waitingByFlow.computeIfAbsent(flow, first -> new ArrayDeque<>()).addFirst(task);
        size++;
        return dropped;
    }

    private T dropOldestOfLongestFlow() {
        Map.Entry<F, Deque<T>> longest = waitingByFlow.entrySet().stream()
                .max(Comparator.comparingInt(flow -> flow.getValue().size()))
                .orElseThrow();
        Deque<T> tasks = longest.getValue();
        T oldest = tasks.removeLast();
        if (tasks.isEmpty()) {
            waitingByFlow.remove(longest.getKey());
        }
        size--;
        return oldest;
    }

    /** Takes a task of the flow whose turn it is; empty if all waiting tasks are of flows that run enough already. */
    Optional<Taken<F, T>> poll() {
        return waitingByFlow.entrySet().stream()
                .filter(flow -> runningByFlow.getOrDefault(flow.getKey(), 0) < maxRunningPerFlow)
                .findFirst()
                .map(flow -> takeNewest(flow.getKey(), flow.getValue()));
    }

    private Taken<F, T> takeNewest(F flow, Deque<T> tasks) {
        T newest = tasks.removeFirst();
        waitingByFlow.remove(flow);
        if (!tasks.isEmpty()) {
            // Behind all other flows.
            waitingByFlow.put(flow, tasks);
        }
        size--;
        runningByFlow.merge(flow, 1, Integer::sum);
        return new Taken<>(flow, newest);
    }

    /** A task that was taken has ended. */
    void finish(F flow) {
        runningByFlow.computeIfPresent(flow, (same, running) -> running == 1 ? null : running - 1);
    }
}
