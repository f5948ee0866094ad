package dev.escapement.endpoints.http;

import java.time.Duration;

/**
 * Limits of a {@link HttpCallDispatcher}.
 *
 * @param maxConnectionsPerHost open connections to one host and port
 * @param maxQueuedPerHost calls to one host and port that wait for a connection; further calls fail at once
 * @param connectTimeout for one connection to one address
 * @param keepAlive how long an idle connection stays open; shorter than common servers keep it, because a call on a
 *     connection that the server is closing fails
 * @param maxResponseBytes a larger body fails the call
 * @param maxHeaderBytes larger response headers fail the call
 * @param maxExcerptChars characters of the body that are kept
 * @param threads I/O threads, at least 4; calls do not need one each
 * @param maxDnsLookups concurrent lookups; as many as calls, so that hanging lookups do not delay others
 * @param userAgent sent unless the endpoint sets its own
 */
public record DispatchLimits(
        int maxConnectionsPerHost,
        int maxQueuedPerHost,
        Duration connectTimeout,
        Duration keepAlive,
        int maxResponseBytes,
        int maxHeaderBytes,
        int maxExcerptChars,
        int threads,
        int maxDnsLookups,
        String userAgent) {

    /** Checks the lower bounds. */
    public DispatchLimits {
        requireAtLeast(1, "maxConnectionsPerHost", maxConnectionsPerHost);
        requireAtLeast(1, "maxQueuedPerHost", maxQueuedPerHost);
        requireAtLeast(1, "connectTimeout in milliseconds", connectTimeout.toMillis());
        requireAtLeast(1, "keepAlive in milliseconds", keepAlive.toMillis());
        requireAtLeast(1, "maxResponseBytes", maxResponseBytes);
        requireAtLeast(1, "maxHeaderBytes", maxHeaderBytes);
        requireAtLeast(1, "maxExcerptChars", maxExcerptChars);
        requireAtLeast(4, "threads", threads);
        requireAtLeast(1, "maxDnsLookups", maxDnsLookups);
        RequestHeaderRules.checkValue("User-Agent", userAgent);
    }

    private static void requireAtLeast(int min, String name, long value) {
        if (value < min) {
            throw new IllegalArgumentException("%s is %d: it must be at least %d".formatted(name, value, min));
        }
    }

    /**
     * Returns the defaults.
     *
     * @param version version of this program, for the {@code User-Agent} header
     */
    public static DispatchLimits defaults(String version) {
        return new DispatchLimits(
                256,
                1024,
                Duration.ofSeconds(5),
                Duration.ofMillis(1500),
                1 << 20,
                16 << 10,
                2048,
                8,
                256,
                "Escapement/" + version);
    }

    /** Returns a copy with other limits for connections and queued calls. */
    public DispatchLimits withConnectionsPerHost(int connections, int waiting) {
        return new DispatchLimits(
                connections,
                waiting,
                connectTimeout,
                keepAlive,
                maxResponseBytes,
                maxHeaderBytes,
                maxExcerptChars,
                threads,
                maxDnsLookups,
                userAgent);
    }
}
