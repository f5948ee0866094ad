package dev.escapement.server.standalone;

import java.time.Duration;

/**
 * How often a server looks after what nobody tells it of.
 *
 * @param idleEntryCleanup for ledger entries that hold and remember nothing
 * @param lockRecovery for targets whose holder is gone
 * @param unfinishedScan for wake-ups that were lost, with a connection or with an answer: reads, and no writes
 */
record MaintenanceIntervals(Duration idleEntryCleanup, Duration lockRecovery, Duration unfinishedScan) {

    static final MaintenanceIntervals DEFAULTS =
            new MaintenanceIntervals(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(1));

    MaintenanceIntervals withUnfinishedScan(Duration other) {
        return new MaintenanceIntervals(idleEntryCleanup, lockRecovery, other);
    }
}
