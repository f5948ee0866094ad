package dev.escapement.architecture.offenders;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Draws from a source that nobody passed. */
public final class RandomnessOffender {

    private RandomnessOffender() {}

    static long threadLocal() {
        return ThreadLocalRandom.current().nextLong();
    }

    static RandomGenerator random() {
        return new Random();
    }

    static RandomGenerator secure() {
        return new SecureRandom();
    }

    static RandomGenerator splittable() {
        return new SplittableRandom();
    }

    static RandomGenerator defaultGenerator() {
        return RandomGenerator.getDefault();
    }

    static RandomGenerator byName(String name) {
        return RandomGenerator.of(name);
    }

    static RandomGenerator splittableByName(String name) {
        return RandomGenerator.SplittableGenerator.of(name);
    }

    static RandomGenerator fromFactory() {
        return RandomGeneratorFactory.getDefault().create();
    }

    static void shuffle(List<String> cards) {
        Collections.shuffle(cards);
    }

    static double number() {
        return Math.random();
    }

    static UUID identifier() {
        return UUID.randomUUID();
    }
}
