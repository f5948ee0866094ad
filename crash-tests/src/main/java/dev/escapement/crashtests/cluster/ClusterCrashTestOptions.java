package dev.escapement.crashtests.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What was asked for.
 *
 * @param kills of the operator
 * @param seed of the moments and the requests
 * @param quick a little of everything
 * @param sabotage what to do behind everybody's back, so that the judge has something to find
 * @param jar the program
 * @param manifests the folder of the CRDs and the rights
 */
record ClusterCrashTestOptions(
        int kills, long seed, boolean quick, Optional<ClusterSabotage> sabotage, Path jar, Path manifests) {

    /** How often the API server is restarted, and how often it hangs. */
    int apiServerRestarts() {
        return quick ? 1 : 4;
    }

    /** How long it storms, and how long two operators lead. */
    Duration stormDuration() {
        return Duration.ofSeconds(quick ? 8 : 40);
    }

    /** How often an operator is stopped between two writes: once or twice before and after each. */
    int freezes() {
        return quick ? 14 : 28;
    }
}
