package dev.escapement.server.http.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sessions of browsers, and the codes that open them once. A session belongs to a token and ends with it. Thread-safe;
 * nothing survives a restart.
 */
public final class LoginSessions {

    private static final Duration CODE_LIFETIME = Duration.ofHours(1);
    private static final Duration SESSION_LIFETIME = Duration.ofHours(24);
    private static final int MAX_SESSIONS = 1_000;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Map<String, Grant> codes = new LinkedHashMap<>();
    private final Map<String, Grant> sessions = new LinkedHashMap<>();
    private final LongSupplier ticker;

    /** @param tokenDigest the digest of the token that it stands for */
    private record Grant(String tokenDigest, long deadline) {}

    /** @param ticker a monotonic clock such as {@link System#nanoTime} */
    public LoginSessions(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** Returns a code that opens one session within an hour. */
    public synchronized String createCode(String tokenDigest) {
        return add(codes, tokenDigest, CODE_LIFETIME);
    }

    /** Returns the digest of the token that a code stands for; the code is used up. */
    synchronized Optional<String> redeemCode(String code) {
        Optional<String> digest = find(codes, code);
        codes.remove(TokenTable.digest(code));
        return digest;
    }

    /** Opens a session; returns the secret for its cookie. */
    synchronized String open(String tokenDigest) {
        return add(sessions, tokenDigest, SESSION_LIFETIME);
    }

    /** Returns the digest of the token that a session stands for. */
    synchronized Optional<String> findSession(String secret) {
        return find(sessions, secret);
    }

    private String add(Map<String, Grant> grants, String tokenDigest, Duration lifetime) {
        String secret = createSecret(random);
        grants.put(TokenTable.digest(secret), new Grant(tokenDigest, ticker.getAsLong() + lifetime.toNanos()));
        Iterator<String> oldest = grants.keySet().iterator();
        while (grants.size() > MAX_SESSIONS) {
            oldest.next();
            oldest.remove();
        }
        return secret;
    }

    /** The keys are digests, so that the time of a lookup tells nothing about a secret. */
    private Optional<String> find(Map<String, Grant> grants, String secret) {
        return Optional.ofNullable(grants.get(TokenTable.digest(secret)))
                .filter(grant -> ticker.getAsLong() - grant.deadline() < 0)
                .map(Grant::tokenDigest);
    }

    /** Returns a new secret of printable ASCII characters. */
    public static String createSecret(SecureRandom random) {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
