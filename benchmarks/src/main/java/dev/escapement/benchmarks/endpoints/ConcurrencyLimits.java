package dev.escapement.benchmarks.endpoints;

/**
 * Limits of concurrent calls.
 *
 * @param concurrency in total
 * @param perHost to one host
 */
record ConcurrencyLimits(int concurrency, int perHost) {

    /** The defaults of the server. */
    static final ConcurrencyLimits DEFAULTS = new ConcurrencyLimits(256, 64);

    /** Returns the same limit for both. */
    static ConcurrencyLimits uniform(int calls) {
        return new ConcurrencyLimits(calls, calls);
    }

    @Override
    public String toString() {
        return (equals(DEFAULTS) ? "default settings: " : "") + "endpoints.concurrency " + concurrency
                + ", endpoints.per-host " + perHost;
    }
}
