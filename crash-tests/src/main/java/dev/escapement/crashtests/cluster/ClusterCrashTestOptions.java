package dev.escapement.crashtests.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The arguments of the command.
 *
 * @param kills number of kills of the operator
 * @param seed of the moments and the requests
 * @param extent how many faults of each kind are injected
 * @param sabotage a violation on purpose, which the judge must find
 * @param jar the packaged program
 * @param manifests the folder of the CRDs and the RBAC manifest
 */
record ClusterCrashTestOptions(
        int kills, long seed, Extent extent, Optional<ClusterSabotage> sabotage, Path jar, Path manifests) {

    /** How many faults are injected. */
    enum Extent {
        /** Each fault, twice before and after each write. */
        FULL(4, 40, 28, 16, true),
        /** Each fault once. */
        QUICK(1, 8, 14, 4, true),
        /** Faults at some of the writes; the seed selects which. Tekton stays available. */
        SAMPLE(1, 3, 2, 1, false);

        private final int apiServerRestarts;
        private final int faultSeconds;
        private final int freezes;
        private final int entryRemovals;
        private final boolean tektonOutage;

        Extent(int apiServerRestarts, int faultSeconds, int freezes, int entryRemovals, boolean tektonOutage) {
            this.apiServerRestarts = apiServerRestarts;
            this.faultSeconds = faultSeconds;
            this.freezes = freezes;
            this.entryRemovals = entryRemovals;
            this.tektonOutage = tektonOutage;
        }
    }

    /** How often the API server is restarted, and how often it hangs. */
    int apiServerRestarts() {
        return extent.apiServerRestarts;
    }

    /** How long API errors are injected, and how long two operators lead. */
    Duration faultDuration() {
        return Duration.ofSeconds(extent.faultSeconds);
    }

    /** How often an operator is frozen between two writes. */
    int freezes() {
        return extent.freezes;
    }

    /** How often the ledger entry of a frozen operator is removed. */
    int entryRemovals() {
        return extent.entryRemovals;
    }

    /** Whether Tekton's programs are stopped and started. */
    boolean tektonOutage() {
        return extent.tektonOutage;
    }
}
