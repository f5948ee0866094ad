package dev.escapement.notifications.audit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Verifies the stored trail in parts, so that a caller sees the progress and no request takes long.
 *
 * @param checkpoints of the trail
 * @param pages reads the entries after a number, at most so many
 */
public record TrailVerifier(
        AuditTrail trail, CheckpointStore checkpoints, BiFunction<Long, Integer, List<IndexedEntry>> pages) {

    private static final int PAGE_SIZE = 5_000;

    /**
     * The result of one part.
     *
     * @param verified how many entries it had
     * @param sequence of its last entry: the next part starts after it
     * @param hash of its last entry
     * @param head the number of the newest entry
     * @param finished whether this is the last part
     */
    public record Part(
            long verified,
            long sequence,
            String hash,
            long head,
            boolean finished,
            long problemCount,
            List<ChainProblem> problems) {}

    public TrailVerifier(AuditTrail trail, CheckpointStore checkpoints) {
        this(trail, checkpoints, trail::readIndexed);
    }

    /** Verifies the whole trail. */
    public Part verifyAll() {
        ChainHead head = trail.head();
        return verify(head.anchorSequence(), Optional.of(head.anchorHash()), Long.MAX_VALUE);
    }

    /**
     * Verifies the entries after one of them. Begins again if the retention removes entries meanwhile.
     *
     * @param after its number; smaller numbers than that of the oldest entry that is kept start there
     * @param hash its hash; empty if it is not to be compared
     * @param limit how many entries; rounded up to a page
     */
    public Part verify(long after, Optional<String> hash, long limit) {
        ChainHead before;
        Part part;
        do {
            before = trail.head();
            part = verify(before, after, hash, limit);
        } while (trail.head().anchorSequence() != before.anchorSequence());
        return part;
    }

    private Part verify(ChainHead before, long after, Optional<String> hash, long limit) {
        boolean fromStart = after <= before.anchorSequence();
        long start = fromStart ? before.anchorSequence() : after;
        Map<Long, String> known = checkpoints.list().stream()
                .filter(checkpoint -> checkpoint.sequence() > start)
                .collect(Collectors.toMap(AuditCheckpoint::sequence, AuditCheckpoint::hash));
        ChainVerifier verifier = new ChainVerifier(start, fromStart ? Optional.of(before.anchorHash()) : hash, known);
        boolean finished = addPages(verifier, start, limit);
        if (finished) {
            checkEnd(verifier, before);
        }
        return new Part(
                verifier.verified(),
                verifier.lastSequence(),
                verifier.lastHash(),
                before.sequence(),
                finished,
                verifier.problemCount(),
                verifier.problems());
    }

    /** Reads a page while the one before is checked. Returns whether the end was reached. */
    private boolean addPages(ChainVerifier verifier, long start, long limit) {
        List<IndexedEntry> page = pages.apply(start, PAGE_SIZE);
        while (page.size() == PAGE_SIZE && verifier.verified() + PAGE_SIZE < limit) {
            long last = page.get(PAGE_SIZE - 1).entry().sequence();
            var next = CompletableFuture.supplyAsync(() -> pages.apply(last, PAGE_SIZE));
            addAll(verifier, page);
            page = join(next);
        }
        addAll(verifier, page);
        return page.size() < PAGE_SIZE;
    }

    private static void addAll(ChainVerifier verifier, List<IndexedEntry> page) {
        page.parallelStream().map(CheckedEntry::of).toList().forEach(verifier::add);
    }

    private static <T> T join(CompletableFuture<T> reading) {
        try {
            return reading.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    /** Servers append meanwhile: the head before is reached at least, and the head afterwards at most. */
    private void checkEnd(ChainVerifier verifier, ChainHead before) {
        ChainHead after = trail.head();
        String evidence = "the head of the trail";
        if (verifier.lastSequence() < before.sequence()) {
            verifier.checkHead(before.sequence(), before.hash(), evidence);
        } else if (verifier.lastSequence() >= after.sequence()) {
            verifier.checkHead(after.sequence(), after.hash(), evidence);
        }
        verifier.checkRemainingCheckpoints();
    }
}
