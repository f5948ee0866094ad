package dev.escapement.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Registers meters. Tags alternate between key and value. A meter that exists already is returned as it is. */
record Meters(MeterRegistry registry) {

    Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    /** Registers a counter whose value is read when it is scraped. */
    void counter(String name, String description, LongSupplier value) {
        // Micrometer refers weakly to the object, but strongly to the function and to what that refers to.
        FunctionCounter.builder(name, registry, unused -> value.getAsLong())
                .description(description)
                .register(registry);
    }

    /** Registers a gauge whose value is read when it is scraped. */
    void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    Timer timer(String name, String description, long[] bucketMillis, String... tags) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(
                        Arrays.stream(bucketMillis).mapToObj(Duration::ofMillis).toArray(Duration[]::new))
                .tags(tags)
                .register(registry);
    }
}
