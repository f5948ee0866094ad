package dev.escapement.crashtests.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The arguments of the command.
 *
 * @param kills number of kills of the operator
 * @param seed of the moments and the requests
 * @param quick whether each fault is injected only once
 * @param sabotage a violation on purpose, which the judge must find
 * @param jar the packaged program
 * @param manifests the folder of the CRDs and the RBAC manifest
 */
record ClusterCrashTestOptions(
        int kills, long seed, boolean quick, Optional<ClusterSabotage> sabotage, Path jar, Path manifests) {

    /** How often the API server is restarted, and how often it hangs. */
    int apiServerRestarts() {
        return quick ? 1 : 4;
    }

    /** How long API errors are injected, and how long two operators lead. */
    Duration faultDuration() {
        return Duration.ofSeconds(quick ? 8 : 40);
    }

    /** How often an operator is frozen between two writes: once or twice before and after each write. */
    int freezes() {
        return quick ? 14 : 28;
    }
}
