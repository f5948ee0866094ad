package dev.escapement.server.standalone;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.WorkQueue;
import dev.escapement.server.http.system.HealthChecks;
import dev.escapement.server.http.system.HealthChecks.Check;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Liveness and readiness of a standalone server. It is not alive only in cases that a restart repairs.
 *
 * @param timersAlive whether the threads of all timers can work
 * @param databaseProblem why the database cannot be written to; empty if all is well
 * @param leaseProblem why this server starts no runs; empty if all is well
 */
record StandaloneHealth(
        WorkQueue<?> queue,
        BooleanSupplier journalAlive,
        BooleanSupplier auditAlive,
        BooleanSupplier endpointsAlive,
        BooleanSupplier notificationsAlive,
        BooleanSupplier timersAlive,
        Supplier<Optional<String>> databaseProblem,
        Supplier<Optional<String>> leaseProblem,
        Path workflowFolder) {

    /** Processing takes milliseconds; while writes wait for locks it may take a minute. */
    private static final Duration MAX_ITEM_DURATION = Duration.ofMinutes(2);

    private static final Duration MAX_RETRY_DURATION = Duration.ofMinutes(1);
    private static final String STUCK = "all are busy with one execution each since more than "
            + DurationText.format(MAX_ITEM_DURATION) + ": nothing else is processed";

    HealthChecks createHealthChecks() {
        List<Check> live = List.of(
                Check.of("workers", queue::isAlive, "its threads have ended"),
                Check.of("journal", journalAlive, "its thread has ended"),
                Check.of("audit", auditAlive, "its threads have ended"),
                Check.of("endpoints", endpointsAlive, "its threads have ended"),
                Check.of("notifications", notificationsAlive, "its threads have ended"),
                Check.of("timers", timersAlive, "their threads have ended"));
        List<Check> ready = List.of(
                new Check("database", databaseProblem),
                new Check("lease", leaseProblem),
                Check.of("workers", () -> !queue.isStuck(MAX_ITEM_DURATION), STUCK),
                new Check("executions", false, this::findFailingExecutions),
                Check.of("catalogue", () -> Files.isReadable(workflowFolder), "folder cannot be read"));
        return new HealthChecks(live, ready, System::nanoTime);
    }

    /** One execution that cannot be processed, such as one with a damaged ledger entry, does not stop the others. */
    private Optional<String> findFailingExecutions() {
        int failing = queue.countFailing(MAX_RETRY_DURATION);
        return failing == 0
                ? Optional.empty()
                : Optional.of("%d cannot be processed since more than %s: the log has the cause"
                        .formatted(failing, DurationText.format(MAX_RETRY_DURATION)));
    }
}
