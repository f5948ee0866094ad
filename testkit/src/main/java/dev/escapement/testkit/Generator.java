package dev.escapement.testkit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Generates the values of one case of a {@link Property} from its seed. */
public final class Generator {

    /** The size of the largest cases. Small cases come first, and a failure is retried with smaller sizes. */
    public static final int MAX_SIZE = 100;

    private final RandomGenerator random;
    private final int size;

    Generator(long seed, int size) {
        this.random = new SplittableRandom(seed);
        this.size = size;
    }

    /** Returns the random source, for code that takes one. */
    public RandomGenerator random() {
        return random;
    }

    /** Both bounds inclusive. */
    public int between(int lowest, int highest) {
        return (int) between((long) lowest, (long) highest);
    }

    /** Both bounds inclusive. */
    public long between(long lowest, long highest) {
        return highest == Long.MAX_VALUE
                ? lowest == Long.MIN_VALUE ? random.nextLong() : random.nextLong(lowest - 1, highest) + 1
                : random.nextLong(lowest, highest + 1);
    }

    /** The upper bound is exclusive. */
    public double between(double lowest, double highest) {
        return random.nextDouble(lowest, highest);
    }

    /** Returns a value from zero, distributed evenly over the orders of magnitude. */
    public long magnitude(long highest) {
        int bits = between(0, 64 - Long.numberOfLeadingZeros(highest));
        return bits == 0 ? 0 : Math.min(highest, random.nextLong() >>> (64 - bits));
    }

    /** Returns a length from {@code lowest} to a bound that grows with the size of the case up to {@code highest}. */
    public int length(int lowest, int highest) {
        return between(lowest, lowest + (highest - lowest) * size / MAX_SIZE);
    }

    /** Returns true with a probability of 1 / {@code oneIn}. */
    public boolean oneIn(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** Returns one of the given values, each with the same probability. */
    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Returns one of the given values, each with the same probability. */
    public <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Returns lower case letters, and sometimes any other character. */
    public String text(int maxLength) {
        StringBuilder text = new StringBuilder();
        for (int i = length(0, maxLength); i > 0; i--) {
            text.append(oneIn(20) ? (char) between(0x20, 0xd7ff) : (char) between('a', 'z'));
        }
        return text.toString();
    }
}
