package dev.escapement.benchmarks.endpoints;

/**
 * What is set.
 *
 * @param concurrency calls at once
 * @param perHost calls of one host at once
 */
record Knobs(int concurrency, int perHost) {

    /** As the server has them if nobody sets them. */
    static final Knobs DEFAULTS = new Knobs(256, 64);

    /** One number for both. */
    static Knobs both(int calls) {
        return new Knobs(calls, calls);
    }

    @Override
    public String toString() {
        return (equals(DEFAULTS) ? "default settings: " : "") + "endpoints.concurrency " + concurrency
                + ", endpoints.per-host " + perHost;
    }
}
