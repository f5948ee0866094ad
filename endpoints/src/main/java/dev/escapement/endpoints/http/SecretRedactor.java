package dev.escapement.endpoints.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Takes what could be secret in a request out of its answer: servers that echo a request, and pages of errors, would
 * otherwise write credentials into the history. Finds what is echoed as it was sent.
 */
final class SecretRedactor {

    private static final String REPLACEMENT = "(not shown)";
    /** Shorter texts occur by chance. */
    private static final int MIN_SECRET_LENGTH = 6;

    private static final Set<String> NON_SECRET_HEADERS =
            Set.of("accept", "accept-encoding", "accept-language", "cache-control", "content-type", "user-agent");

    private final List<String> secrets;

    private SecretRedactor(List<String> secrets) {
        this.secrets = secrets;
    }

    /** Headers that do not just describe the content, and the query of the URL. */
    static SecretRedactor forRequest(Map<String, String> headers, Optional<String> query) {
        List<String> found = new ArrayList<>();
        headers.forEach((name, value) -> {
            if (!NON_SECRET_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                found.add(value.strip());
                // A scheme and its credentials: the credentials alone are as secret.
                found.addAll(List.of(value.strip().split("[\\s;,]+", -1)));
            }
        });
        query.ifPresent(text -> {
            found.add(text);
            for (String parameter : text.split("&", -1)) {
                found.add(parameter.substring(parameter.indexOf('=') + 1));
            }
        });
        return new SecretRedactor(found.stream()
                .filter(text -> text.length() >= MIN_SECRET_LENGTH)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** How much more than an excerpt must be kept, so that no secret is cut in half and missed. */
    int maxSecretLength() {
        return secrets.isEmpty() ? 0 : secrets.get(0).length();
    }

    String redact(String text) {
        String clean = text;
        for (String secret : secrets) {
            clean = clean.replace(secret, REPLACEMENT);
        }
        return clean;
    }
}
