package dev.escapement.server.standalone;

import dev.escapement.common.WorkQueue;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.endpoint.EndpointScheduler;
import dev.escapement.server.events.JournalFollower;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Liveness and readiness of a standalone server. It is not alive only in cases that a restart repairs. */
record StandaloneHealth(
        WorkQueue<?> queue,
        JournalFollower follower,
        EndpointScheduler endpoints,
        List<PeriodicTasks> timers,
        ServerLease lease,
        Path workflowFolder) {

    HealthChecks createHealthChecks() {
        List<Check> live = List.of(
                Check.of("workers", queue::isAlive, "its threads have ended"),
                Check.of("journal", follower::isAlive, "its thread has ended"),
                Check.of("endpoints", endpoints::isAlive, "its threads have ended"),
                Check.of("timers", () -> timers.stream().allMatch(PeriodicTasks::isAlive), "their threads have ended"));
        List<Check> ready = List.of(
                Check.of("database", endpoints::pingDatabase, "does not answer"),
                Check.of("lease", lease::mayStart, "could not be renewed in time: no run is started"),
                Check.of("catalogue", () -> Files.isReadable(workflowFolder), "folder cannot be read"));
        return new HealthChecks(live, ready, System::nanoTime);
    }
}
