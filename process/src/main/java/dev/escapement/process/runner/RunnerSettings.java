package dev.escapement.process.runner;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * How runs are kept.
 *
 * @param dataFolder the folder of this server; runs are kept below it
 * @param serverId which server this is, among those that share a database: letters, digits, dots, dashes, underscores
 * @param logLimit how many bytes of output are kept for each run, at least 4096
 * @param stopGracePeriod how long a run that was asked to end may take before it is killed
 * @param keepRuns how many ended runs are kept, with their output; at least 1
 * @param keepFor how long an ended run is kept
 */
public record RunnerSettings(
        Path dataFolder, String serverId, long logLimit, Duration stopGracePeriod, int keepRuns, Duration keepFor) {

    private static final Pattern SERVER_ID_PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final long MIN_LOG_LIMIT = 4096;

    /** All within bounds. */
    public RunnerSettings {
        requireNonNull(dataFolder, "data is null");
        if (!SERVER_ID_PATTERN.matcher(serverId).matches()) {
            throw new IllegalArgumentException(
                    "server id \"%s\": use letters, digits, dots, dashes and underscores".formatted(serverId));
        }
        if (logLimit < MIN_LOG_LIMIT) {
            throw new IllegalArgumentException(
                    "log limit is %d bytes: it must be at least %d".formatted(logLimit, MIN_LOG_LIMIT));
        }
        if (stopGracePeriod.isNegative()) {
            throw new IllegalArgumentException("grace is " + stopGracePeriod + ": it must not be negative");
        }
        if (keepRuns < 1) {
            throw new IllegalArgumentException("runs to keep are " + keepRuns + ": keep at least 1");
        }
        if (keepFor.isNegative()) {
            throw new IllegalArgumentException("time to keep runs is " + keepFor + ": it must not be negative");
        }
    }

    /** 10 MiB of output, 10 s of grace, the last 1000 runs for 7 days. */
    public static RunnerSettings of(Path data, String serverId) {
        return new RunnerSettings(data, serverId, 10L << 20, Duration.ofSeconds(10), 1000, Duration.ofDays(7));
    }

    /** The same with another limit for the output. */
    public RunnerSettings withLogLimit(long bytes) {
        return new RunnerSettings(dataFolder, serverId, bytes, stopGracePeriod, keepRuns, keepFor);
    }

    /** The same with another grace. */
    public RunnerSettings withStopGracePeriod(Duration time) {
        return new RunnerSettings(dataFolder, serverId, logLimit, time, keepRuns, keepFor);
    }

    /** The same with other bounds for ended runs. */
    public RunnerSettings withRetention(int runs, Duration time) {
        return new RunnerSettings(dataFolder, serverId, logLimit, stopGracePeriod, runs, time);
    }
}
