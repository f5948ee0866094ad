package dev.escapement.endpoints.http;

import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which headers an endpoint may have: those that say something to the other side, not those that frame the message. */
public final class RequestHeaderRules {

    /** The most bytes that all names and values have together. */
    public static final int MAX_TOTAL_BYTES = 16 << 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7E]*");
    private static final Set<String> FRAMING = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "expect",
            "te",
            "trailer",
            "http2-settings");
    private static final Set<String> RESERVED = Set.of(
            "idempotency-key", WebhookSigner.ID_HEADER, WebhookSigner.TIMESTAMP_HEADER, WebhookSigner.SIGNATURE_HEADER);

    private RequestHeaderRules() {}

    /**
     * Refuses headers that cannot be sent.
     *
     * @throws IllegalArgumentException naming the header and the rule, never the value
     */
    public static void check(Map<String, String> headers) {
        int size = 0;
        Set<String> seen = new HashSet<>();
        for (Map.Entry<String, String> header : headers.entrySet()) {
            checkName(header.getKey());
            checkValue(header.getKey(), header.getValue());
            if (!seen.add(header.getKey().toLowerCase(Locale.ROOT))) {
                throw invalidHeader(header.getKey(), "is given twice; header names know no case");
            }
            size += header.getKey().length() + header.getValue().length() + ": \r\n".length();
        }
        if (size > MAX_TOTAL_BYTES) {
            throw new IllegalArgumentException("headers: they have " + size + " bytes together, at most "
                    + MAX_TOTAL_BYTES + " are allowed; send less");
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "headers: a name is empty, longer than 128 or has characters other than letters, digits and"
                            + " !#$%&'*+-.^_`|~; correct it");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (FRAMING.contains(lower) || lower.startsWith("proxy-")) {
            throw invalidHeader(lower, "belongs to the connection and cannot be set; remove it");
        }
        if (RESERVED.contains(lower)) {
            throw invalidHeader(lower, "is set by Escapement itself; remove it");
        }
    }

    static void checkValue(String name, String value) {
        if (!VALUE.matcher(value).matches()) {
            throw invalidHeader(
                    name, "has a line break, a control character or one beyond ASCII in its value; encode it");
        }
    }

    private static IllegalArgumentException invalidHeader(String name, String flaw) {
        return new IllegalArgumentException("headers: " + name + " " + flaw);
    }
}
