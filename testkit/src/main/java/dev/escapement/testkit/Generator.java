package dev.escapement.testkit;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Makes the values of one case of a {@link Property}. All chance comes from the case's seed. */
public final class Generator {

    /** The size of the largest cases; small ones come first, and a failure is retried with smaller ones. */
    public static final int MAX_SIZE = 100;

    private final RandomGenerator random;
    private final int size;

    Generator(long seed, int size) {
        this.random = new SplittableRandom(seed);
        this.size = size;
    }

    /** The source itself, for code that takes one. */
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

    /** Spread evenly over the orders of magnitude, so that small values are as likely as large ones; from zero. */
    public long magnitude(long highest) {
        int bits = between(0, 64 - Long.numberOfLeadingZeros(highest));
        return bits == 0 ? 0 : Math.min(highest, random.nextLong() >>> (64 - bits));
    }

    /** A length from {@code lowest} that grows with the case's size up to {@code highest}. */
    public int length(int lowest, int highest) {
        return between(lowest, lowest + (highest - lowest) * size / MAX_SIZE);
    }

    /** True once in {@code oneIn} cases on average. */
    public boolean oneIn(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** One of the given values, each as likely as the others. */
    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** One of the given values, each as likely as the others. */
    public <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Letters and digits, and now and then something less tame. */
    public String text(int highestLength) {
        StringBuilder text = new StringBuilder();
        for (int i = length(0, highestLength); i > 0; i--) {
            text.append(oneIn(20) ? (char) between(0x20, 0xd7ff) : (char) between('a', 'z'));
        }
        return text.toString();
    }
}
