package dev.escapement.notifications.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Verifies a chain in one pass, in constant memory: add the entries in their order, then read the problems. Every entry
 * must have the hash of its content, and name the hash of the entry before it. Not thread-safe.
 */
public final class ChainVerifier {

    /** Of a chain with more broken places only these are named; they are counted all the same. */
    static final int MAX_PROBLEMS = 100;

    /** A range of sequence numbers that were skipped. */
    private record Gap(long first, long last) {}

    private final Map<Long, String> checkpoints;
    private final Map<Long, ChainProblem> problems = new TreeMap<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final BrokenLinks brokenLinks = new BrokenLinks();
    private long verified;
    private long problemCount;
    private long lastSequence;
    private String lastHash;
    /** Whether the entry before is known, so that the next one must name its hash. */
    private boolean anchored;

    /**
     * Starts after an entry.
     *
     * @param sequence of the entry before the first one; 0 for the beginning
     * @param hash of the entry before the first one; empty if it is unknown
     */
    public ChainVerifier(long sequence, Optional<String> hash) {
        this(sequence, hash, Map.of());
    }

    /** @param checkpoints hashes by sequence number that were kept elsewhere */
    public ChainVerifier(long sequence, Optional<String> hash, Map<Long, String> checkpoints) {
        this.lastSequence = sequence;
        this.lastHash = hash.orElse("");
        this.anchored = hash.isPresent();
        this.checkpoints = new HashMap<>(checkpoints);
    }

    /** Verifies the next entry and the columns by which it is found. */
    void add(CheckedEntry checked) {
        long problemsBefore = problemCount;
        add(checked.entry(), checked.validHash());
        if (problemCount == problemsBefore) {
            checked.columnProblem()
                    .ifPresent(detail ->
                            report(ChainProblem.changed(checked.entry().sequence(), detail)));
        }
    }

    /** Verifies the next entry. */
    public void add(ChainEntry entry) {
        add(entry, entry.hasValidHash());
    }

    private void add(ChainEntry entry, boolean validHash) {
        verified++;
        if (entry.sequence() <= lastSequence) {
            addLate(entry);
            return;
        }
        boolean follows = entry.sequence() == lastSequence + 1;
        if (!follows && anchored) {
            gaps.add(new Gap(lastSequence + 1, entry.sequence() - 1));
            problemCount++;
        }
        if (!validHash) {
            report(ChainProblem.changed(entry.sequence(), "its content does not have its hash"));
        }
        if (follows && anchored && !entry.previousHash().equals(lastHash)) {
            problemCount++;
            brokenLinks.add(entry);
        } else {
            brokenLinks.addSuccessor(entry);
        }
        checkCheckpoint(entry);
        brokenLinks.remember(entry);
        lastSequence = entry.sequence();
        lastHash = entry.hash();
        anchored = true;
    }

    /** An entry that stands after a later one: it was moved if it is missing at its place. */
    private void addLate(ChainEntry entry) {
        long sequence = entry.sequence();
        Optional<Gap> gap = gaps.stream()
                .filter(each -> each.first() <= sequence && sequence <= each.last())
                .findFirst();
        if (gap.isEmpty()) {
            report(ChainProblem.inserted(sequence, "it stands after entry " + lastSequence));
            return;
        }
        gaps.remove(gap.get());
        List.of(
                        new Gap(gap.get().first(), sequence - 1),
                        new Gap(sequence + 1, gap.get().last()))
                .stream()
                .filter(rest -> rest.first() <= rest.last())
                .forEach(gaps::add);
        report(ChainProblem.reordered(sequence, "it stands after entry " + lastSequence));
    }

    private void checkCheckpoint(ChainEntry entry) {
        Optional.ofNullable(checkpoints.remove(entry.sequence()))
                .filter(hash -> !hash.equals(entry.hash()))
                .ifPresent(hash -> report(ChainProblem.changed(
                        entry.sequence(), "a checkpoint has another hash, so that it or an entry before it differs")));
    }

    private void report(ChainProblem problem) {
        problemCount++;
        if (problems.size() < MAX_PROBLEMS) {
            problems.putIfAbsent(problem.sequence(), problem);
        }
    }

    /**
     * Compares the end of the chain with its head.
     *
     * @param evidence names the head in a message
     */
    public void checkHead(long headSequence, String headHash, String evidence) {
        if (headSequence > lastSequence) {
            report(ChainProblem.truncated(lastSequence + 1, headSequence, evidence));
        } else if (headSequence < lastSequence) {
            report(ChainProblem.inserted(
                    headSequence + 1, "the chain ends at entry " + headSequence + " by " + evidence));
        } else if (!headHash.equals(lastHash) && anchored) {
            report(ChainProblem.changed(headSequence, "it has another hash than " + evidence));
        }
    }

    /** Reports the checkpoints after the end of the chain. */
    public void checkRemainingCheckpoints() {
        checkpoints.keySet().stream()
                .filter(sequence -> sequence > lastSequence)
                .max(Comparator.naturalOrder())
                .ifPresent(sequence -> report(ChainProblem.truncated(
                        lastSequence + 1, sequence, "there is a checkpoint of entry " + sequence)));
    }

    /** Returns the problems so far by sequence number, at most {@value #MAX_PROBLEMS} of each kind. */
    public List<ChainProblem> problems() {
        Map<Long, ChainProblem> all = new TreeMap<>(problems);
        gaps.stream()
                .limit(MAX_PROBLEMS)
                .forEach(gap -> all.put(gap.first(), ChainProblem.removed(gap.first(), gap.last())));
        // What was inserted or moved explains why a hash does not fit.
        brokenLinks.classify(all.keySet()).forEach(problem -> all.put(problem.sequence(), problem));
        return List.copyOf(all.values());
    }

    /** Returns how many broken places were found, also those that are not named. */
    public long problemCount() {
        return problemCount;
    }

    /** Returns how many entries were added. */
    public long verified() {
        return verified;
    }

    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the hash of the last entry; empty if it is unknown. */
    public String lastHash() {
        return lastHash;
    }
}
