package dev.escapement.notifications.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Verifies the lines of an export, which may begin anywhere in the trail. Not thread-safe. */
public final class ExportVerifier {

    private final Map<Long, String> checkpoints;
    private final List<ChainProblem> unreadableLines = new ArrayList<>();
    private Optional<ChainVerifier> verifier = Optional.empty();
    private long lines;
    private long unreadableCount;

    public ExportVerifier() {
        this(Map.of());
    }

    /** @param checkpoints hashes by sequence number that were kept elsewhere */
    public ExportVerifier(Map<Long, String> checkpoints) {
        this.checkpoints = checkpoints;
    }

    /** Verifies the next line. */
    public void addLine(String line) {
        lines++;
        try {
            ChainEntry entry = ChainEntry.fromLine(line);
            if (verifier.isEmpty()) {
                verifier = Optional.of(start(entry));
            }
            verifier.get().add(entry);
        } catch (IllegalArgumentException unreadable) {
            unreadableCount++;
            if (unreadableLines.size() < ChainVerifier.MAX_PROBLEMS) {
                unreadableLines.add(new ChainProblem(
                        lastSequence() + 1,
                        ChainProblem.Kind.CHANGED,
                        "line " + lines + " was changed: it is not a line of an export"));
            }
        }
    }

    /** The first entry of the trail follows none; any other first line is taken as it is. */
    private ChainVerifier start(ChainEntry first) {
        String previous = first.sequence() == 1 ? ChainEntry.FIRST_PREVIOUS_HASH : first.previousHash();
        return new ChainVerifier(first.sequence() - 1, Optional.of(previous), checkpoints);
    }

    /** Reports the checkpoints after the last line. */
    public void finish() {
        verifier.ifPresent(ChainVerifier::checkRemainingCheckpoints);
    }

    /** Returns how many lines were added. */
    public long lines() {
        return lines;
    }

    /** Returns the number of the last entry; 0 if there was none. */
    public long lastSequence() {
        return verifier.map(ChainVerifier::lastSequence).orElse(0L);
    }

    public long problemCount() {
        return unreadableCount + verifier.map(ChainVerifier::problemCount).orElse(0L);
    }

    public List<ChainProblem> problems() {
        List<ChainProblem> all = new ArrayList<>(unreadableLines);
        verifier.ifPresent(chain -> all.addAll(chain.problems()));
        return all;
    }
}
