package dev.escapement.notifications.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hashes of entries that somebody has kept outside of the database. A trail that was computed again as a whole is valid
 * in itself, but has other hashes than these. Not thread-safe.
 */
public final class KeptCheckpoints {

    private static final Pattern LOG_LINE =
            Pattern.compile("Audit checkpoint: sequence=(?<sequence>[0-9]{1,18}) hash=(?<hash>[0-9a-f]{64})");

    private final TreeMap<Long, String> hashes = new TreeMap<>();

    /**
     * Adds the checkpoints of a line: of the log, of an export, or a response with a list of checkpoints. Other lines
     * have none.
     *
     * @throws IllegalArgumentException if it has another hash than a line before for the same entry
     */
    public void addLine(String line) {
        if (line.startsWith("{")) {
            try {
                addDocument(Json.mapper().valueToTree(Json.read(line, Map.class)));
                return;
            } catch (Json.JsonException notJson) {
                // It may be a line of a log nevertheless.
            }
        }
        Matcher matcher = LOG_LINE.matcher(line);
        while (matcher.find()) {
            add(Long.parseLong(matcher.group("sequence")), matcher.group("hash"));
        }
    }

    private void addDocument(JsonNode document) {
        document.path("items").forEach(this::addDocument);
        if (document.path("sequence").canConvertToLong()
                && document.path("hash").isTextual()) {
            add(document.path("sequence").asLong(), document.path("hash").asText());
        }
    }

    private void add(long sequence, String hash) {
        String before = hashes.putIfAbsent(sequence, hash);
        if (before != null && !before.equals(hash)) {
            throw new IllegalArgumentException(
                    "it has two hashes of entry " + sequence + ": " + before + " and " + hash);
        }
    }

    /** Returns the hashes by sequence number. */
    public Map<Long, String> hashes() {
        return Map.copyOf(hashes);
    }

    /**
     * Compares the trail with the checkpoints. The hash of an entry depends on all before it, so that few entries are
     * read.
     *
     * @param firstFrom returns the sequence number and the hash of the first entry from a number on; empty if there is
     *     none
     */
    public Optional<ChainProblem> findProblem(LongFunction<Optional<ChainLink>> firstFrom) {
        List<Long> sequences = new ArrayList<>(hashes.keySet());
        if (sequences.isEmpty()) {
            return Optional.empty();
        }
        int known = 0;
        int different = sequences.size();
        while (known < different) {
            int middle = (known + different) >>> 1;
            if (firstFrom.apply(sequences.get(middle)).filter(this::agrees).isPresent()) {
                known = middle + 1;
            } else {
                different = middle;
            }
        }
        long newest = sequences.get(sequences.size() - 1);
        if (known < sequences.size()) {
            return Optional.of(describe(sequences, known, firstFrom));
        }
        // Older entries were removed. If all are, nothing was compared.
        return firstFrom
                .apply(newest)
                .filter(link -> link.sequence() != newest)
                .map(link -> ChainProblem.removed(newest, link.sequence() - 1));
    }

    /** Whether the entry has the kept hash; retention may have removed it. */
    private boolean agrees(ChainLink link) {
        Map.Entry<Long, String> kept = hashes.floorEntry(link.sequence());
        return kept == null
                || kept.getKey() != link.sequence()
                || kept.getValue().equals(link.hash());
    }

    private ChainProblem describe(List<Long> sequences, int index, LongFunction<Optional<ChainLink>> firstFrom) {
        long sequence = sequences.get(index);
        if (firstFrom.apply(sequence).isEmpty()) {
            return ChainProblem.truncated(sequence, sequence, "there is a kept checkpoint of it");
        }
        String range = index == 0 ? "an entry before it" : "an entry after " + sequences.get(index - 1);
        return ChainProblem.changed(
                sequence, "a kept checkpoint has another hash, so that it or " + range + " differs");
    }

    /** The number and the hash of an entry. */
    public record ChainLink(long sequence, String hash) {}
}
