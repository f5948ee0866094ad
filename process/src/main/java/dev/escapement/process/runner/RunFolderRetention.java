package dev.escapement.process.runner;

import dev.escapement.process.monitor.EventLoop;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the folders of ended runs: the oldest beyond {@code keepRuns}, and those older than {@code keepFor}. Used
 * only on the {@link EventLoop}.
 */
final class RunFolderRetention {

    private static final Logger LOG = LoggerFactory.getLogger(RunFolderRetention.class);

    /** Applies even beyond {@code keepRuns}: the execution's status must be recorded before the folder is removed. */
    private static final Duration MIN_RETENTION = Duration.ofMinutes(1);

    /** Applies to runs that ended while the server was down, whatever their age. */
    private static final Duration MIN_RETENTION_AFTER_RECOVERY = Duration.ofHours(1);

    private record RetainedRun(String key, Instant retainedSince, Instant retainUntil) {}

    private final RunFolderStore folders;
    private final RunnerSettings settings;
    private final InstantSource clock;
    private final Deque<RetainedRun> retained = new ArrayDeque<>();

    RunFolderRetention(RunFolderStore folders, RunnerSettings settings, InstantSource clock) {
        this.folders = folders;
        this.settings = settings;
        this.clock = clock;
    }

    /** Adds a run that had ended before the server started. Call in the order of their ends. */
    void addRecovered(String key, Instant endedAt) {
        Instant now = clock.instant();
        Instant until = endedAt.plus(settings.keepFor());
        Instant earliest = now.plus(MIN_RETENTION_AFTER_RECOVERY);
        retained.add(new RetainedRun(key, now, until.isBefore(earliest) ? earliest : until));
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
                folders.remove(key);
            }
        } catch (IOException failed) {
            LOG.warn(
                    "Removing run folder {} failed; it remains until the next start",
                    folders.path().resolve(key),
                    failed);
        }
    }

    /** Returns the keys of the retained runs, oldest first. */
    List<String> keys() {
        return retained.stream().map(RetainedRun::key).toList();
    }
}
