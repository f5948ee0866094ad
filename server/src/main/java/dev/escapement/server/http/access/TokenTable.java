package dev.escapement.server.http.access;

import dev.escapement.common.Digests;
import dev.escapement.common.SafeText;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.Format;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The tokens that a server accepts, each as its SHA-256 digest. */
public record TokenTable(List<Entry> entries) {

    static final TokenTable EMPTY = new TokenTable(List.of());

    private static final Set<String> ENTRY_FIELDS = Set.of("name", "sha256", "rights");
    private static final int DIGEST_BYTES = 32;
    private static final int MAX_QUOTE_LENGTH = 100;

    /**
     * A token.
     *
     * @param sha256 64 hexadecimal digits in lower case
     */
    public record Entry(String sha256, Caller caller) {}

    public TokenTable {
        entries = List.copyOf(entries);
    }

    /** Returns the table of a single token, whose owner is not known. */
    static TokenTable ofSharedToken(String token) {
        return token.isEmpty()
                ? EMPTY
                : new TokenTable(
                        List.of(new Entry(digest(token), new Caller("token-holder", Right.allOfPeople(), false))));
    }

    /** Returns the digest that a tokens file has. */
    public static String digest(String token) {
        return Digests.sha256Hex(token, DIGEST_BYTES);
    }

    /** Whether the name of a token is valid: it is shown, logged and recorded. */
    public static boolean isValidName(String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");
    }

    TokenTable and(TokenTable other) {
        List<Entry> both = new ArrayList<>(entries);
        both.addAll(other.entries);
        return new TokenTable(both);
    }

    Optional<Entry> findToken(String token) {
        return findDigest(digest(token));
    }

    /** Compares in constant time. */
    Optional<Entry> findDigest(String digest) {
        byte[] given = digest.getBytes(StandardCharsets.US_ASCII);
        return entries.stream()
                .filter(entry -> MessageDigest.isEqual(given, entry.sha256().getBytes(StandardCharsets.US_ASCII)))
                .findFirst();
    }

    /**
     * Parses a tokens file.
     *
     * @throws IllegalArgumentException with all problems; it shows no digest
     */
    public static TokenTable parse(String yaml) {
        Map<String, Object> document = DocumentParser.read(yaml, Format.YAML);
        if (!document.keySet().equals(Set.of("tokens")) || !(document.get("tokens") instanceof List<?> list)) {
            throw new IllegalArgumentException("the file must have the one key tokens, with a list");
        }
        List<String> problems = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String where = "tokens[%d]".formatted(i);
            parseEntry(list.get(i), where, problems).ifPresent(entry -> {
                if (!names.add(entry.caller().name())) {
                    problems.add(where
                            + ": name %s is used twice".formatted(entry.caller().name()));
                }
                entries.add(entry);
            });
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return new TokenTable(entries);
    }

    private static Optional<Entry> parseEntry(Object item, String where, List<String> problems) {
        if (!(item instanceof Map<?, ?> fields) || !fields.keySet().equals(ENTRY_FIELDS)) {
            problems.add(where + " must have exactly the fields " + String.join(", ", new TreeSet<>(ENTRY_FIELDS)));
            return Optional.empty();
        }
        String name = String.valueOf(fields.get("name"));
        String sha256 = String.valueOf(fields.get("sha256"));
        if (!isValidName(name)) {
            problems.add("%s: name is %s: it must be of letters, digits and . _ @ -"
                    .formatted(where, SafeText.quote(name, MAX_QUOTE_LENGTH)));
        }
        if (!sha256.matches("[0-9a-f]{64}")) {
            problems.add(where + ": sha256 must be 64 hexadecimal digits in lower case");
        }
        Set<Right> rights = EnumSet.noneOf(Right.class);
        if (!(fields.get("rights") instanceof List<?> words) || words.isEmpty()) {
            problems.add(where + ": rights must be a list of " + Right.format(EnumSet.allOf(Right.class)));
        } else {
            for (Object word : words) {
                Right.parse(String.valueOf(word))
                        .ifPresentOrElse(
                                rights::add,
                                () -> problems.add("%s: right %s does not exist: rights are %s"
                                        .formatted(
                                                where,
                                                SafeText.quote(String.valueOf(word), MAX_QUOTE_LENGTH),
                                                Right.format(EnumSet.allOf(Right.class)))));
            }
        }
        return Optional.of(new Entry(sha256, new Caller(name, rights, true)));
    }
}
