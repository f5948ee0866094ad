package dev.escapement.backoff;

/**
 * Sixty-four well-mixed bits from a key and an attempt. The same on every JVM, for ever: deadlines that were planned
 * with it must come out the same when they are planned again, so a change here would be a breaking change (and fails a
 * test with recorded values).
 */
final class KeyedRandom {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

    private KeyedRandom() {}

    /** FNV-1a over the key's UTF-16 units, then the finalizer of SplitMix64 over that and the attempt. */
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
        // multiplyHigh is signed: a negative factor counts as 2^64 less than it stands for, which takes one width away.
        return Math.multiplyHigh(bits, width) + ((bits >> 63) & width);
    }
}
