package dev.escapement.notifications.folding;

import dev.escapement.engine.journal.Transition;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one group has sent and counted in its current window.
 *
 * @param generation the number of the window, from 1; tells windows apart that begin at the same instant
 * @param single notifications that were sent one by one
 * @param folded notifications that the summary counts
 * @param firstAt when the first of those happened; the start of the window if there is none
 * @param lastAt when the last of those happened
 * @param counts how often each {@code reason on target} was counted; bounded, the rest is under {@link #OTHERS}
 * @param channels that receive the summary
 */
public record FoldState(
        FoldGroup group,
        long generation,
        Instant windowStart,
        Instant windowEnd,
        long single,
        long folded,
        Instant firstAt,
        Instant lastAt,
        SortedMap<String, Long> counts,
        SortedSet<String> channels) {

    /** Stands for what is not counted by name. */
    static final String OTHERS = "others";

    private static final int MAX_COUNTS = 20;

    public FoldState {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        channels = Collections.unmodifiableSortedSet(new TreeSet<>(channels));
    }

    static FoldState open(FoldGroup group, long generation, Instant start, FoldingPolicy policy) {
        return new FoldState(
                group,
                generation,
                start,
                start.plus(policy.window()),
                0,
                0,
                start,
                start,
                new TreeMap<>(),
                new TreeSet<>());
    }

    /** Returns whether a transition of that time belongs to this window. */
    boolean covers(Instant at) {
        return at.isBefore(windowEnd);
    }

    boolean isFull(FoldingPolicy policy) {
        return single >= group.limit(policy);
    }

    FoldState withSingle() {
        return new FoldState(
                group, generation, windowStart, windowEnd, single + 1, folded, firstAt, lastAt, counts, channels);
    }

    /** Counts a transition in the summary. */
    FoldState withFolded(Transition transition, List<String> receivers) {
        SortedMap<String, Long> nextCounts = new TreeMap<>(counts);
        String label = label(transition);
        boolean known = nextCounts.containsKey(label) || nextCounts.size() < MAX_COUNTS;
        nextCounts.merge(known ? label : OTHERS, 1L, Long::sum);
        SortedSet<String> nextChannels = new TreeSet<>(channels);
        nextChannels.addAll(receivers);
        Instant at = transition.at();
        return new FoldState(
                group,
                generation,
                windowStart,
                windowEnd,
                single,
                folded + 1,
                folded == 0 || at.isBefore(firstAt) ? at : firstAt,
                folded == 0 || at.isAfter(lastAt) ? at : lastAt,
                nextCounts,
                nextChannels);
    }

    private String label(Transition transition) {
        String subject = group.isOfOneTarget() ? transition.workflow() : transition.target();
        return transition.reason().isEmpty() ? subject : transition.reason() + " " + subject;
    }
}
