package dev.escapement.notifications.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a delivery. An attempt sends the notification to every channel that has not received it yet.
 *
 * @param attempts one per attempt and channel, oldest first
 * @param nextAttemptAt computed once, when the attempt before failed; empty in a terminal phase
 * @param completedAt when a terminal phase was reached
 */
public record DeliveryStatus(
        DeliveryPhase phase, List<Attempt> attempts, Optional<Instant> nextAttemptAt, Optional<Instant> completedAt) {

    /**
     * An attempt on one channel.
     *
     * @param number from 1
     * @param error empty after a success
     */
    public record Attempt(String channel, int number, Instant at, boolean sent, String error) {}

    public DeliveryStatus {
        attempts = List.copyOf(attempts);
    }

    /** Returns the status of a new notification. */
    public static DeliveryStatus pending(Instant dueAt) {
        return new DeliveryStatus(DeliveryPhase.Pending, List.of(), Optional.of(dueAt), Optional.empty());
    }

    /** Returns those of the channels that have not received the notification. */
    public List<String> openChannels(List<String> channels) {
        return channels.stream()
                .filter(channel -> attempts.stream()
                        .noneMatch(
                                attempt -> attempt.sent() && attempt.channel().equals(channel)))
                .toList();
    }

    /** Returns the number of the next attempt, from 1. */
    public int nextNumber() {
        return attempts.stream().mapToInt(Attempt::number).max().orElse(0) + 1;
    }

    /** Returns the status while a worker sends it. */
    public DeliveryStatus sending() {
        return new DeliveryStatus(DeliveryPhase.Sending, attempts, nextAttemptAt, completedAt);
    }

    /**
     * Returns the status after an attempt.
     *
     * @param name of the notification
     * @param results by channel; a channel without a result counts as failed
     * @param now when the attempt ended
     */
    public DeliveryStatus record(
            String name,
            List<String> channels,
            DeliveryRetryPolicy policy,
            Map<String, DeliveryResult> results,
            Instant now) {
        int number = nextNumber();
        List<Attempt> all = new ArrayList<>(attempts);
        Duration requested = Duration.ZERO;
        for (String channel : openChannels(channels)) {
            DeliveryResult result = results.getOrDefault(channel, DeliveryResult.failed("no result was recorded"));
            all.add(new Attempt(channel, number, now, result.sent(), result.sent() ? "" : result.detail()));
            Duration asked = result.retryAfter().orElse(Duration.ZERO);
            requested = asked.compareTo(requested) > 0 ? asked : requested;
        }
        DeliveryStatus updated = new DeliveryStatus(DeliveryPhase.Retrying, all, Optional.empty(), Optional.empty());
        List<String> open = updated.openChannels(channels);
        if (open.isEmpty()) {
            return updated.completed(DeliveryPhase.Sent, now);
        }
        if (number >= policy.maxAttempts()) {
            boolean any = open.size() < channels.size();
            return updated.completed(any ? DeliveryPhase.PartiallySent : DeliveryPhase.Failed, now);
        }
        Instant next = now.plus(policy.delay(number, name, requested));
        return new DeliveryStatus(DeliveryPhase.Retrying, all, Optional.of(next), Optional.empty());
    }

    private DeliveryStatus completed(DeliveryPhase terminal, Instant now) {
        return new DeliveryStatus(terminal, attempts, Optional.empty(), Optional.of(now));
    }
}
