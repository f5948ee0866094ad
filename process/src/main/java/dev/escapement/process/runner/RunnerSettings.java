package dev.escapement.process.runner;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Settings of the {@link ProcessRunner}.
 *
 * @param dataFolder data folder of this server; run folders are below it
 * @param serverId id of this server: letters, digits, dots, dashes, underscores
 * @param logLimit maximum bytes of output kept per run, at least 4096
 * @param stopGracePeriod time between SIGTERM and SIGKILL when a run is stopped
 * @param keepRuns maximum number of ended runs kept, at least 1
 * @param keepFor how long an ended run is kept
 */
public record RunnerSettings(
        Path dataFolder, String serverId, long logLimit, Duration stopGracePeriod, int keepRuns, Duration keepFor) {

    private static final Pattern SERVER_ID_PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final long MIN_LOG_LIMIT = 4096;

    /** @throws IllegalArgumentException if a value is out of bounds */
    public RunnerSettings {
        require(
                SERVER_ID_PATTERN.matcher(serverId).matches(),
                "server id \"%s\": use letters, digits, dots, dashes and underscores",
                serverId);
        require(logLimit >= MIN_LOG_LIMIT, "logLimit is %d bytes: it must be at least " + MIN_LOG_LIMIT, logLimit);
        require(!stopGracePeriod.isNegative(), "stopGracePeriod is %s: it must not be negative", stopGracePeriod);
        require(keepRuns >= 1, "keepRuns is %d: it must be at least 1", keepRuns);
        require(!keepFor.isNegative(), "keepFor is %s: it must not be negative", keepFor);
    }

    private static void require(boolean valid, String message, Object value) {
        if (!valid) {
            throw new IllegalArgumentException(message.formatted(value));
        }
    }

    /**
     * What the runner needs to know of the servers that share the database.
     *
     * @param isGone whether another server has taken over from the server with this id
     * @param leaseUntil until when this server's lease is held for certain; empty if it needs none. No run starts after
     *     it, because another server may have recorded the run as lost
     */
    public record ServerLeaseView(Predicate<String> isGone, Supplier<Optional<Instant>> leaseUntil) {}
}
