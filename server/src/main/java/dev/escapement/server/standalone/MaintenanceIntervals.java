package dev.escapement.server.standalone;

import java.time.Duration;

/**
 * Intervals of periodic maintenance.
 *
 * @param idleEntryCleanup removal of empty ledger entries
 * @param lockRecovery release of targets held by deleted executions
 * @param unfinishedScan read-only search for unfinished executions whose notification was lost
 */
record MaintenanceIntervals(Duration idleEntryCleanup, Duration lockRecovery, Duration unfinishedScan) {

    static final MaintenanceIntervals DEFAULTS =
            new MaintenanceIntervals(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(1));

    MaintenanceIntervals withUnfinishedScan(Duration interval) {
        return new MaintenanceIntervals(idleEntryCleanup, lockRecovery, interval);
    }
}
