package dev.escapement.endpoints.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes secrets of a request from its response, because servers and error pages that echo requests would otherwise
 * write credentials into the run history. Finds only secrets that are echoed unchanged.
 */
final class SecretRedactor {

    private static final String REPLACEMENT = "(not shown)";
    /** Shorter texts occur by accident. */
    private static final int MIN_SECRET_LENGTH = 6;

    private final List<String> secrets;

    private SecretRedactor(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Treats as secret: the values of {@linkplain RequestHeaderRules#isSecret secret headers}, and the URL's query. */
    static SecretRedactor forRequest(Map<String, String> headers, Optional<String> query) {
        List<String> candidates = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (RequestHeaderRules.isSecret(name)) {
                candidates.add(value.strip());
                // Of a scheme with credentials, the credentials alone are secret too.
                candidates.addAll(List.of(value.strip().split("[\\s;,]+", -1)));
            }
        });
        query.ifPresent(text -> {
            candidates.add(text);
            for (String parameter : text.split("&", -1)) {
                candidates.add(parameter.substring(parameter.indexOf('=') + 1));
            }
        });
        return new SecretRedactor(candidates.stream()
                .filter(text -> text.length() >= MIN_SECRET_LENGTH)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** How many characters beyond the excerpt must be kept, so that no secret is cut and missed. */
    int maxSecretLength() {
        return secrets.isEmpty() ? 0 : secrets.get(0).length();
    }

    /** @param cut whether the text goes on, so that it may end within a secret */
    String redact(String text, boolean cut) {
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, REPLACEMENT);
        }
        return cut ? redacted.substring(0, redacted.length() - cutSecretLength(redacted)) : redacted;
    }

    /** Returns the length of the longest end of the text that a secret begins with. */
    private int cutSecretLength(String text) {
        int longest = 0;
        for (String secret : secrets) {
            int length = Math.min(secret.length() - 1, text.length());
            while (length > longest && !text.endsWith(secret.substring(0, length))) {
                length--;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }
}
