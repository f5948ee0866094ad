package dev.escapement.endpoints.http;

import java.time.Duration;

/**
 * How far a {@link HttpCallDispatcher} goes.
 *
 * @param maxConnectionsPerHost how many connections to one host and port are open at a time
 * @param maxQueuedPerHost how many calls to one host and port wait for a connection; more fail at once
 * @param connectTimeout for one connection to one address, at most
 * @param keepAlive how long a connection stays open without a call; shorter than what common servers do, because a call
 *     on a connection that the server is about to close would fail
 * @param maxResponseBytes how much of a body is read; a longer one is too large
 * @param maxHeaderBytes how long the headers of an answer may be
 * @param maxExcerptChars how much of an answer is kept
 * @param threads how many threads move bytes; calls do not need one each
 * @param maxDnsLookups how many names are looked up at a time: as many as there are calls, so that names which hang
 *     hold up nobody else
 * @param userAgent how the program introduces itself, unless the endpoint says otherwise
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

    /** Every number is positive. */
    public DispatchLimits {
        requirePositive("connectionsPerHost", maxConnectionsPerHost);
        requirePositive("waitingPerHost", maxQueuedPerHost);
        requirePositive("connectTimeout", connectTimeout.toMillis());
        requirePositive("keepAlive", keepAlive.toMillis());
        requirePositive("responseBytes", maxResponseBytes);
        requirePositive("headerBytes", maxHeaderBytes);
        requirePositive("excerptChars", maxExcerptChars);
        requirePositive("threads", threads - 3L);
        requirePositive("lookups", maxDnsLookups);
        RequestHeaderRules.checkValue("User-Agent", userAgent);
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " is too small; give more");
        }
    }

    /**
     * What fits most.
     *
     * @param version of this program, for its {@code User-Agent}
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

    /** The same with other bounds for connections. */
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
