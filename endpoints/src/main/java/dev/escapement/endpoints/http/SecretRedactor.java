package dev.escapement.endpoints.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes secrets of a request from its response, because servers and error pages that echo requests would otherwise
 * write credentials into the run history. Finds only secrets that are echoed unchanged.
 */
final class SecretRedactor {

    private static final String REPLACEMENT = "(not shown)";
    /** Shorter texts occur by accident. */
    private static final int MIN_SECRET_LENGTH = 6;

    private static final Set<String> NON_SECRET_HEADERS =
            Set.of("accept", "accept-encoding", "accept-language", "cache-control", "content-type", "user-agent");

    private final List<String> secrets;

    private SecretRedactor(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Treats as secret: the values of all but well-known harmless headers, and the query of the URL. */
    static SecretRedactor forRequest(Map<String, String> headers, Optional<String> query) {
        List<String> candidates = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (!NON_SECRET_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
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

    String redact(String text) {
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, REPLACEMENT);
        }
        return redacted;
    }
}
