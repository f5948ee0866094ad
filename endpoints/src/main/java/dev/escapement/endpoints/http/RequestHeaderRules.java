package dev.escapement.endpoints.http;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the headers of an endpoint: application headers are accepted, connection headers and our own are refused. */
public final class RequestHeaderRules {

    /** Maximum size of all names and values together. */
    public static final int MAX_TOTAL_BYTES = 16 << 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7E]*");
    private static final Pattern FRAMING = Pattern.compile("host|content-length|transfer-encoding|connection|keep-alive"
            + "|upgrade|expect|te|trailer|http2-settings|proxy-.*");
    private static final Set<String> RESERVED = Set.of(
            "idempotency-key", WebhookSigner.ID_HEADER, WebhookSigner.TIMESTAMP_HEADER, WebhookSigner.SIGNATURE_HEADER);

    /** Everything else may be a credential: names of secret headers cannot be listed. */
    private static final Set<String> HARMLESS = Set.of(
            "accept",
            "accept-charset",
            "accept-encoding",
            "accept-language",
            "cache-control",
            "content-encoding",
            "content-language",
            "content-type",
            "pragma",
            "prefer",
            "user-agent");

    private RequestHeaderRules() {}

    /** Returns whether the value of a header may be a secret, which is not shown and not sent to another host. */
    public static boolean isSecret(String name) {
        return !HARMLESS.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Checks names, values and total size.
     *
     * @throws IllegalArgumentException naming the invalid header and the rule, never the value
     */
    public static void check(Map<String, String> headers) {
        int size = 0;
        Set<String> seen = new HashSet<>();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            checkName(header.getKey());
            checkValue(header.getKey(), header.getValue());
            if (!seen.add(header.getKey().toLowerCase(Locale.ROOT))) {
                throw invalidHeader(header.getKey(), "is given twice; header names are not case-sensitive");
            }
            size += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        if (size > MAX_TOTAL_BYTES) {
            throw new IllegalArgumentException("headers: they have " + size + " bytes in total, at most "
                    + MAX_TOTAL_BYTES + " are allowed; shorten them");
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "headers: a name is empty, longer than 128 characters or has characters other than letters,"
                            + " digits and !#$%&'*+-.^_`|~; correct it");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (FRAMING.matcher(lower).matches()) {
            throw invalidHeader(lower, "belongs to the connection and cannot be set; remove it");
        }
        if (RESERVED.contains(lower)) {
            throw invalidHeader(lower, "is set by Escapement itself; remove it");
        }
    }

    static void checkValue(String name, String value) {
        if (!VALUE.matcher(value).matches()) {
            throw invalidHeader(name, "has a line break, control or non-ASCII character in its value; encode it");
        }
    }

    private static IllegalArgumentException invalidHeader(String name, String problem) {
        return new IllegalArgumentException("headers: " + name + " " + problem);
    }
}
