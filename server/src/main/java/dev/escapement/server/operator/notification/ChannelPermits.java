package dev.escapement.server.operator.notification;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds how many notifications are sent through one channel at once, so that one that hangs leaves room for others.
 */
final class ChannelPermits {

    private final int maxPerChannel;
    private final Map<String, Integer> used = new HashMap<>();
    private final Map<String, Runnable> waiting = new LinkedHashMap<>();

    ChannelPermits(int maxPerChannel) {
        this.maxPerChannel = maxPerChannel;
    }

    /**
     * Takes a permit of each channel, or none if one of them has none left.
     *
     * @param sender identifies who wants them
     * @param retry called once when permits were released; must not block
     */
    synchronized boolean tryAcquire(Collection<String> channels, String sender, Runnable retry) {
        if (channels.stream().anyMatch(channel -> used.getOrDefault(channel, 0) >= maxPerChannel)) {
            waiting.put(sender, retry);
            return false;
        }
        waiting.remove(sender);
        channels.forEach(channel -> used.merge(channel, 1, Integer::sum));
        return true;
    }

    void release(Collection<String> channels) {
        List<Runnable> retries;
        synchronized (this) {
            channels.forEach(channel -> used.computeIfPresent(channel, (name, count) -> count > 1 ? count - 1 : null));
            retries = new ArrayList<>(waiting.values());
            waiting.clear();
        }
        retries.forEach(Runnable::run);
    }
}
