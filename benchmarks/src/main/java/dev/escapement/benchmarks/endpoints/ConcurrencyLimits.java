package dev.escapement.benchmarks.endpoints;

/**
 * What is set.
 *
 * @param concurrency calls at once
 * @param perHost calls of one host at once
 */
record ConcurrencyLimits(int concurrency, int perHost) {

    /** As the server has them if nobody sets them. */
    static final ConcurrencyLimits DEFAULTS = new ConcurrencyLimits(256, 64);

    /** One number for both. */
    static ConcurrencyLimits uniform(int calls) {
        return new ConcurrencyLimits(calls, calls);
    }

    @Override
    public String toString() {
        return (equals(DEFAULTS) ? "default settings: " : "") + "endpoints.concurrency " + concurrency
                + ", endpoints.per-host " + perHost;
    }
}
