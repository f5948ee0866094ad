package dev.escapement.endpoints.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.storage.SecretText;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a request as Standard Webhooks 1.0.0 says, so that the other side knows who calls and that nothing was changed.
 */
public final class Signing {

    static final String ID = "webhook-id";
    static final String TIMESTAMP = "webhook-timestamp";
    static final String SIGNATURE = "webhook-signature";

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 24;
    private static final int LONGEST = 64;

    private final SecretKeySpec key;

    private Signing(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * Reads a key like {@code whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}.
     *
     * @throws IllegalArgumentException saying what is wrong with it, without repeating it
     */
    public static Signing with(SecretText written) {
        String text = written.reveal();
        if (!text.startsWith(PREFIX)) {
            throw refusal("does not begin with " + PREFIX);
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException flaw) {
            // Its message repeats a character of the key.
            throw refusal("is no Base64 after " + PREFIX);
        }
        if (key.length < SHORTEST || key.length > LONGEST) {
            throw refusal("has " + key.length + " bytes, not " + SHORTEST + " to " + LONGEST);
        }
        return new Signing(key);
    }

    private static IllegalArgumentException refusal(String flaw) {
        return new IllegalArgumentException(
                "signingKey: it " + flaw + "; make one with: echo whsec_$(openssl rand -base64 32)");
    }

    /**
     * The headers that a signed request has besides its others.
     *
     * @param id the same for every attempt, without a dot
     * @param at when this attempt is made
     */
    public Map<String, String> headers(String id, Instant at, String body) {
        String timestamp = Long.toString(at.getEpochSecond());
        String signed = id + "." + timestamp + "." + body;
        return Map.of(ID, id, TIMESTAMP, timestamp, SIGNATURE, "v1," + mac(signed));
    }

    private String mac(String text) {
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
