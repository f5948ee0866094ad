package dev.escapement.kubernetes.journal;

import dev.escapement.backoff.Backoff;
import dev.escapement.kubernetes.Troubles;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;

/**
 * What could not be told. After a while it is told again: the newest as it was, because what is stored may have gone on
 * since (a target cleared once more, an execution deleted), and everything that follows from what is stored. Of that
 * only what was lost is new. As long as something is lost again, the while becomes longer.
 */
final class Losses {

    private static final Backoff PACE = Backoff.builder()
            .base(Duration.ofSeconds(30))
            .max(Duration.ofMinutes(15))
            .build();

    private static final int KEPT = 1_000;

    private final IntSupplier waiting;
    private final BiConsumer<Duration, Runnable> later;
    private final Troubles troubles = new Troubles("telling Events");
    private final AtomicLong count = new AtomicLong();
    private final Map<String, Runnable> kept = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Runnable> eldest) {
            return size() > KEPT;
        }
    };
    private volatile Runnable again = () -> {};
    private boolean lost;
    private boolean planned;
    private int rounds;

    /**
     * @param waiting how much waits to be told: nothing is told again before that
     * @param later does something after a while
     */
    Losses(IntSupplier waiting, BiConsumer<Duration, Runnable> later) {
        this.waiting = waiting;
        this.later = later;
    }

    /** @param again tells everything that can be told, of which what was told is left out */
    void onLoss(Runnable again) {
        this.again = again;
    }

    /**
     * An Event was not told.
     *
     * @param retell tells it again
     */
    void lost(String event, Throwable reason, Runnable retell) {
        count.incrementAndGet();
        troubles.failed(event, reason);
        synchronized (this) {
            lost = true;
            kept.put(event, retell);
            if (!planned) {
                planned = true;
                plan();
            }
        }
    }

    /** An Event was told. */
    void told() {
        troubles.worked();
    }

    /** How many were not told. */
    long count() {
        return count.get();
    }

    private void plan() {
        later.accept(PACE.delay(rounds + 1), this::look);
    }

    private void look() {
        List<Runnable> retold;
        synchronized (this) {
            if (waiting.getAsInt() > 0) {
                plan();
                return;
            }
            if (!lost) {
                planned = false;
                rounds = 0;
                return;
            }
            lost = false;
            rounds++;
            retold = List.copyOf(kept.values());
            kept.clear();
        }
        try {
            retold.forEach(Runnable::run);
            again.run();
        } finally {
            plan();
        }
    }
}
