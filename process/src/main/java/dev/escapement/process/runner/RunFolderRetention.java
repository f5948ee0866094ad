package dev.escapement.process.runner;

import dev.escapement.process.monitor.EventLoop;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
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
 * more than that number. Belongs to the {@link EventLoop}.
 */
final class RunFolderRetention {

    private static final Logger LOG = LoggerFactory.getLogger(RunFolderRetention.class);

    /** So long at least, whatever the number: its end has to be recorded before it may be forgotten. */
    private static final Duration MIN_RETENTION = Duration.ofMinutes(1);

    /** Runs that ended while no server was there are kept for this long, however old they are. */
    private static final Duration MIN_RETENTION_AFTER_RECOVERY = Duration.ofHours(1);

    private record RetainedRun(String key, Instant retainedSince, Instant retainUntil) {}

    private final RunFolderStore folders;
    private final RunnerSettings settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Deque<RetainedRun> retained = new ArrayDeque<>();

    RunFolderRetention(RunFolderStore runs, RunnerSettings settings, InstantSource clock, RandomGenerator random) {
        this.folders = runs;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    /** One that was there when the server started; the oldest first. */
    void addRecovered(String key, Instant endedAt) {
        Instant now = clock.instant();
        Instant until = endedAt.plus(settings.keepFor());
        Instant later = now.plus(MIN_RETENTION_AFTER_RECOVERY);
        retained.add(new RetainedRun(key, now, until.isBefore(later) ? later : until));
    }

    void addEnded(String key) {
        Instant now = clock.instant();
        retained.add(new RetainedRun(key, now, now.plus(settings.keepFor())));
        trim();
    }

    void trim() {
        Instant now = clock.instant();
        while (!retained.isEmpty() && isRemovable(retained.getFirst(), now)) {
            remove(retained.removeFirst().key());
        }
    }

    private boolean isRemovable(RetainedRun oldest, Instant now) {
        boolean recorded = !oldest.retainedSince().plus(MIN_RETENTION).isAfter(now);
        return recorded
                && (retained.size() > settings.keepRuns()
                        || !oldest.retainUntil().isAfter(now));
    }

    private void remove(String key) {
        try {
            if (folders.folder(key).hasFile(RunFolder.RESULT_FILE)) {
                folders.remove(key, Digests.randomNonce(random));
            }
        } catch (IOException stays) {
            LOG.warn(
                    "the run in {} cannot be removed; it stays until the next start",
                    folders.path().resolve(key),
                    stays);
        }
    }

    /** The keys of the runs that are kept, the oldest first. */
    List<String> keys() {
        return retained.stream().map(RetainedRun::key).toList();
    }
}
