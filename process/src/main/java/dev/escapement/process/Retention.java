package dev.escapement.process;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes ended runs: those beyond the number that is kept, the oldest first, and those that are too old. Remembers no
 * more than that number. Belongs to the {@link Loop}.
 */
final class Retention {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    /** So long at least, whatever the number: its end has to be recorded before it may be forgotten. */
    private static final Duration AT_LEAST = Duration.ofMinutes(1);

    /** Runs that ended while no server was there are kept for this long, however old they are. */
    private static final Duration AFTER_RECOVERY = Duration.ofHours(1);

    private record Kept(String key, Instant from, Instant until) {}

    private final RunsFolder runs;
    private final RunnerSettings settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Deque<Kept> kept = new ArrayDeque<>();

    Retention(RunsFolder runs, RunnerSettings settings, InstantSource clock, RandomGenerator random) {
        this.runs = runs;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** One that was there when the server started; the oldest first. */
    void found(String key, Instant endedAt) {
        Instant now = clock.instant();
        Instant until = endedAt.plus(settings.keepFor());
        Instant later = now.plus(AFTER_RECOVERY);
        kept.add(new Kept(key, now, until.isBefore(later) ? later : until));
    }

    void ended(String key) {
        Instant now = clock.instant();
        kept.add(new Kept(key, now, now.plus(settings.keepFor())));
        trim();
    }

    void trim() {
        Instant now = clock.instant();
        while (!kept.isEmpty() && mayGo(kept.getFirst(), now)) {
            remove(kept.removeFirst().key());
        }
    }

    private boolean mayGo(Kept oldest, Instant now) {
        boolean recorded = !oldest.from().plus(AT_LEAST).isAfter(now);
        return recorded && (kept.size() > settings.keepRuns() || !oldest.until().isAfter(now));
    }

    private void remove(String key) {
        try {
            if (runs.run(key).has(RunFolder.RESULT)) {
                runs.remove(key, Hex.nonce(random));
            }
        } catch (IOException stays) {
            LOG.warn(
                    "the run in {} cannot be removed; it stays until the next start",
                    runs.path().resolve(key),
                    stays);
        }
    }

    /** The keys of the runs that are kept, the oldest first. */
    List<String> keys() {
        return kept.stream().map(Kept::key).toList();
    }
}
