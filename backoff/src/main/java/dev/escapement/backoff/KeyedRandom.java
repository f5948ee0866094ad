package dev.escapement.backoff;

/**
 * Derives 64 random bits from a key and an attempt. The bits are the same on every JVM and in every release, because a
 * deadline that is computed again must not change: changing this class is a breaking change, and fails a test with
 * recorded values.
 */
final class KeyedRandom {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

    private KeyedRandom() {}

    /** Hashes the key's UTF-16 units with FNV-1a, then mixes in the attempt with the finalizer of SplitMix64. */
    static long bits(String key, int attempt) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * FNV_PRIME;
        }
        long bits = hash + attempt * GOLDEN_RATIO;
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }

    /**
     * Maps 64 bits evenly onto {@code 0 .. width-1}: the upper half of their 128-bit product.
     *
     * @param width from 1
     */
    static long scale(long width, long bits) {
        // multiplyHigh is signed: it takes a negative factor for 2^64 less, so its result is one width too low.
        return Math.multiplyHigh(bits, width) + ((bits >> 63) & width);
    }
}
