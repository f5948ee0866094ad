package dev.escapement.notifications.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The places of a chain where an entry does not name the hash of the entry before it, with their neighbours: whether an
 * entry was inserted, moved or replaced is known only when the entries that refer to it are known.
 */
final class BrokenLinks {

    private static final int MAX_PLACES = 100;

    /** The neighbours of broken places, by sequence number. */
    private final Map<Long, ChainEntry> neighbours = new TreeMap<>();

    private final List<Long> broken = new ArrayList<>();
    private Optional<ChainEntry> last = Optional.empty();
    private Optional<ChainEntry> beforeLast = Optional.empty();
    private boolean successorNeeded;

    /** Records that an entry does not follow the one before. */
    void add(ChainEntry entry) {
        if (broken.size() < MAX_PLACES) {
            broken.add(entry.sequence());
            beforeLast.ifPresent(this::keep);
            last.ifPresent(this::keep);
            keep(entry);
            successorNeeded = true;
        }
    }

    /** Keeps an entry if the one before was at a broken place. */
    void addSuccessor(ChainEntry entry) {
        if (successorNeeded) {
            keep(entry);
            successorNeeded = false;
        }
    }

    /** Keeps the last two entries, without their documents being copied. */
    void remember(ChainEntry entry) {
        beforeLast = last;
        last = Optional.of(entry);
    }

    private void keep(ChainEntry entry) {
        neighbours.put(entry.sequence(), entry);
    }

    /** @param changed the entries that are known to be changed: they explain the broken link after them */
    List<ChainProblem> classify(Set<Long> changed) {
        Map<String, Long> sequences = new HashMap<>();
        Set<String> referredTo = new HashSet<>();
        neighbours.values().forEach(entry -> {
            sequences.put(entry.hash(), entry.sequence());
            referredTo.add(entry.previousHash());
        });
        List<ChainProblem> problems = new ArrayList<>();
        for (long sequence : broken) {
            ChainEntry entry = neighbours.get(sequence);
            if (entry != null) {
                classify(entry, sequences, referredTo, changed).ifPresent(problems::add);
            }
        }
        return problems;
    }

    private Optional<ChainProblem> classify(
            ChainEntry entry, Map<String, Long> sequences, Set<String> referredTo, Set<Long> changed) {
        long sequence = entry.sequence();
        Optional<ChainEntry> before = Optional.ofNullable(neighbours.get(sequence - 1));
        Optional<Long> owner = Optional.ofNullable(sequences.get(entry.previousHash()));
        boolean beforeIsUnknownToOthers =
                before.filter(each -> referredTo.contains(each.hash())).isEmpty();
        if (owner.filter(each -> each == sequence - 2).isPresent() && beforeIsUnknownToOthers) {
            return Optional.of(
                    ChainProblem.inserted(sequence - 1, "entry %d follows entry %d".formatted(sequence, sequence - 2)));
        } else if (owner.isPresent()) {
            return Optional.of(ChainProblem.reordered(sequence, "it follows entry " + owner.get()));
        } else if (changed.contains(sequence - 1) || changed.contains(sequence)) {
            return Optional.empty();
        }
        String detail = "entry %d follows another one than entry %d, which was changed or put in the place of others"
                .formatted(sequence, sequence - 1);
        return Optional.of(ChainProblem.changed(sequence - 1, detail));
    }
}
