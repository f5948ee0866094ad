package dev.escapement.endpoints.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.endpoints.guard.EndpointUrl;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The key by which concurrent calls are limited: host and port of a URL. */
public final class HostKey {

    private static final int DIGEST_BYTES = 8;

    private HostKey() {}

    /**
     * Returns host in lower case and port. An invalid URL gets a key of its own, so that it delays no other; the key
     * holds a digest, because keys are logged and URLs may contain secrets.
     */
    public static String of(String url) {
        try {
            return EndpointUrl.parse(url).hostKey();
        } catch (IllegalArgumentException bad) {
            return "bad-url-" + digest(url);
        }
    }

    private static String digest(String url) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(url.getBytes(UTF_8));
            return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
