package dev.escapement.server.metrics;

import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.worker.DeliveryListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Metrics of notifications. Counters are about what this server did: sum them over servers. The gauge is about the
 * whole database: take its maximum.
 */
public final class NotificationMetrics implements DeliveryListener {

    private final Meters meters;
    private final Counter created;
    private final Counter folded;
    private final Counter retries;

    /** Registers all counters with zero, so that rates have a start value. */
    public NotificationMetrics(MeterRegistry registry) {
        this.meters = new Meters(registry);
        this.created = meters.counter("escapement.notifications", "Notifications that were created, without summaries");
        this.folded =
                meters.counter("escapement.notifications.folded", "Transitions that were counted in a summary instead");
        this.retries = meters.counter(
                "escapement.notifications.retries", "Attempts after which a notification will be retried");
        for (DeliveryPhase phase : DeliveryPhase.values()) {
            if (phase.isTerminal()) {
                finished(phase);
            }
        }
    }

    /** Registers the counters of channels with zero, unless they are there. */
    public void registerChannels(Collection<String> channels) {
        channels.forEach(channel -> {
            attempts(channel, true);
            attempts(channel, false);
        });
    }

    /** Registers the gauge that shows a notifications file that cannot be used. */
    public void registerFileValidity(BooleanSupplier valid) {
        meters.gauge(
                "escapement.notifications.file.valid",
                "1 if the notifications file is in use, 0 if it was changed and cannot be used",
                () -> valid.getAsBoolean() ? 1 : 0);
    }

    private Counter attempts(String channel, boolean sent) {
        String description = "Attempts to send a notification to a channel, by outcome";
        String outcome = sent ? "Sent" : "Failed";
        return meters.counter("escapement.notification.attempts", description, "channel", channel, "outcome", outcome);
    }

    private Counter finished(DeliveryPhase phase) {
        String description = "Notifications that are not sent any more, by their last phase";
        return meters.counter("escapement.notifications.finished", description, "phase", phase.name());
    }

    /**
     * Registers the gauge of notifications that are not in a terminal phase, read when it is scraped.
     *
     * @param ticker a monotonic clock such as {@link System#nanoTime}
     */
    public void registerPending(Supplier<Long> source, LongSupplier ticker) {
        var pending = new CachedValue<>("the number of pending notifications", source, 0L, ticker);
        meters.gauge(
                "escapement.notifications.pending",
                "Notifications that are not sent to every channel yet and will be",
                pending::get);
    }

    @Override
    public void onAttempt(String channel, boolean sent) {
        attempts(channel, sent).increment();
    }

    @Override
    public void onRetry() {
        retries.increment();
    }

    @Override
    public void onFinished(DeliveryPhase phase) {
        finished(phase).increment();
    }

    @Override
    public void onCreated(int count, int counted) {
        created.increment(count);
        folded.increment(counted);
    }
}
