package dev.escapement.endpoints.http;

import java.time.Duration;

/**
 * Limits of a {@link HttpCallDispatcher}.
 *
 * @param maxConnectionsPerHost open connections to one host and port
 * @param maxQueuedPerHost calls to one host and port that wait for a connection; further calls fail at once
 * @param keepAlive how long an idle connection stays open; shorter than common servers keep it, because a call on a
 *     connection that the server is closing fails
 * @param maxResponseBytes a larger body fails the call
 * @param maxExcerptChars characters of the body that are kept
 * @param maxDnsLookups concurrent lookups; as many as calls, so that hanging lookups do not delay others
 * @param userAgent sent unless the endpoint sets its own
 */
public record DispatchLimits(
        int maxConnectionsPerHost,
        int maxQueuedPerHost,
        Duration keepAlive,
        int maxResponseBytes,
        int maxExcerptChars,
        int maxDnsLookups,
        String userAgent) {

    public DispatchLimits {
        requirePositive("maxConnectionsPerHost", maxConnectionsPerHost);
        requirePositive("maxQueuedPerHost", maxQueuedPerHost);
        requirePositive("keepAlive in milliseconds", keepAlive.toMillis());
        requirePositive("maxResponseBytes", maxResponseBytes);
        requirePositive("maxExcerptChars", maxExcerptChars);
        requirePositive("maxDnsLookups", maxDnsLookups);
        RequestHeaderRules.checkValue("User-Agent", userAgent);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("%s is %d: it must be at least 1".formatted(name, value));
        }
    }

    /**
     * Returns the defaults.
     *
     * @param version version of this program, for the {@code User-Agent} header
     */
    public static DispatchLimits defaults(String version) {
        return new DispatchLimits(256, 1024, Duration.ofMillis(1500), 1 << 20, 2048, 256, "Escapement/" + version);
    }
}
