package dev.escapement.endpoints.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.storage.SecretText;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests according to Standard Webhooks 1.0.0, so that the receiver can verify sender and content. */
public final class WebhookSigner {

    static final String ID_HEADER = "webhook-id";
    static final String TIMESTAMP_HEADER = "webhook-timestamp";
    static final String SIGNATURE_HEADER = "webhook-signature";

    private static final String KEY_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_KEY_BYTES = 24;
    private static final int MAX_KEY_BYTES = 64;

    private static final int MAX_KEYS = 5;

    private final List<SecretKeySpec> keys;

    private WebhookSigner(List<SecretKeySpec> keys) {
        this.keys = keys;
    }

    /**
     * Creates a signer with a key like {@code whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}, or with several that are
     * separated by white space. Each makes a signature of its own, so that a receiver can change from one key to
     * another.
     *
     * @throws IllegalArgumentException naming the broken rule, without repeating the key
     */
    public static WebhookSigner withKey(SecretText secret) {
        String[] texts = secret.reveal().split("\\s+", -1);
        if (texts.length > MAX_KEYS) {
            throw invalidKey("has " + texts.length + " keys, not 1 to " + MAX_KEYS);
        }
        return new WebhookSigner(Stream.of(texts).map(WebhookSigner::parseKey).toList());
    }

    private static SecretKeySpec parseKey(String text) {
        if (!text.startsWith(KEY_PREFIX)) {
            throw invalidKey("does not begin with " + KEY_PREFIX);
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.substring(KEY_PREFIX.length()));
        } catch (IllegalArgumentException problem) {
            // Without the cause: its message repeats a character of the key.
            throw invalidKey("is not Base64 after " + KEY_PREFIX);
        }
        if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
            throw invalidKey("has " + key.length + " bytes, not " + MIN_KEY_BYTES + " to " + MAX_KEY_BYTES);
        }
        return new SecretKeySpec(key, ALGORITHM);
    }

    private static IllegalArgumentException invalidKey(String problem) {
        return new IllegalArgumentException(
                "signingKey: it " + problem + "; make one with: echo whsec_$(openssl rand -base64 32)");
    }

    /**
     * Returns the headers to add to the request.
     *
     * @param id the same for every attempt, without a dot
     * @param at time of this attempt
     */
    public Map<String, String> sign(String id, Instant at, String body) {
        String timestamp = Long.toString(at.getEpochSecond());
        String signed = id + "." + timestamp + "." + body;
        String signatures =
                keys.stream().map(key -> "v1," + computeMac(key, signed)).collect(Collectors.joining(" "));
        return Map.of(ID_HEADER, id, TIMESTAMP_HEADER, timestamp, SIGNATURE_HEADER, signatures);
    }

    private static String computeMac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    @Override
    public String toString() {
        return "(signing key)";
    }
}
