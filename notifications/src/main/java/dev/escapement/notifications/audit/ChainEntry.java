package dev.escapement.notifications.audit;

import dev.escapement.api.audit.AuditEntry;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.common.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An entry of the hash chain.
 *
 * @param sequence from 1, without gaps
 * @param previousHash the hash of the entry before; {@link #FIRST_PREVIOUS_HASH} for the first one
 * @param hash SHA-256 of {@code previousHash}, a line break and {@code document}, in hexadecimal digits
 * @param document the record as JSON with sorted keys: hashed to the letter
 */
public record ChainEntry(long sequence, String previousHash, String hash, String document) {

    /** What the first entry has instead of the hash of an entry before. */
    public static final String FIRST_PREVIOUS_HASH = "0".repeat(64);

    /** Returns the entry that follows the one with this hash. */
    static ChainEntry after(long previousSequence, String previousHash, AuditRecord record) {
        String document = canonicalText(Json.toMap(record));
        return new ChainEntry(previousSequence + 1, previousHash, hash(previousHash, document), document);
    }

    /** Returns the hash that an entry must have. */
    static String hash(String previousHash, String document) {
        MessageDigest digest = sha256();
        digest.update(previousHash.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
        digest.update(document.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    /** Returns whether the hash is that of the document after the previous hash. */
    boolean hasValidHash() {
        return hash.equals(hash(previousHash, document));
    }

    public AuditRecord record() {
        return Json.read(document, AuditRecord.class);
    }

    public AuditEntry toDocument() {
        return new AuditEntry(sequence, previousHash, hash, record(), Map.of());
    }

    /** Returns the line of an export: the same text for the same entry, so that every changed byte is found. */
    public String toLine() {
        return canonicalText(Map.of(
                "sequence",
                sequence,
                "previous_hash",
                previousHash,
                "hash",
                hash,
                "record",
                Json.read(document, Map.class)));
    }

    /**
     * Returns the entry of a line of an export.
     *
     * @throws IllegalArgumentException if it is not a line that {@link #toLine} writes
     */
    public static ChainEntry fromLine(String line) {
        Map<String, Object> tree = Json.toMap(Json.read(line, Map.class));
        if (tree.get("sequence") instanceof Number sequence
                && tree.get("previous_hash") instanceof String previousHash
                && tree.get("hash") instanceof String hash
                && tree.get("record") instanceof Map<?, ?> record
                && canonicalText(tree).equals(line)) {
            return new ChainEntry(sequence.longValue(), previousHash, hash, canonicalText(record));
        }
        throw new IllegalArgumentException("not a line of an export of the audit trail");
    }

    /** Returns the only text that stands for a tree: sorted keys at every level, no white space. */
    static String canonicalText(Map<?, ?> tree) {
        return Json.write(sort(tree));
    }

    private static Object sort(Object value) {
        if (value instanceof Map<?, ?> map) {
            TreeMap<String, Object> sorted = new TreeMap<>();
            map.forEach((key, field) -> sorted.put(String.valueOf(key), sort(field)));
            return sorted;
        }
        return value instanceof List<?> list
                ? list.stream().map(ChainEntry::sort).toList()
                : value;
    }
}
