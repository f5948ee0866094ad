package dev.escapement.server.operator;

import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.notifications.audit.sink.SinkWorker;
import dev.escapement.server.CloseStack;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.audit.AuditService;
import dev.escapement.server.audit.ClusterAuditService;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.audit.AuditRoutes;
import dev.escapement.storage.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The audit of an operator. With a database its records go to a trail there, and from the trail to the sink, if there
 * is one; without a database they go to the sink only.
 */
final class OperatorAudit implements AutoCloseable {

    private static final Duration RETENTION_INTERVAL = Duration.ofHours(1);

    private final CloseStack closeStack = new CloseStack();
    private final Optional<AuditService> trail;
    private final Optional<ClusterAuditService> sender;

    /** @param source empty if there is neither a database nor a sink */
    OperatorAudit(
            Settings settings,
            Optional<Database> database,
            Optional<ClusterAuditService.Source> source,
            MeterRegistry registry,
            InstantSource clock) {
        this.trail = database.map(opened -> {
            PeriodicTasks maintenance = closeStack.add(new PeriodicTasks("audit-trail"));
            AuditService started = closeStack.add(AuditService.start(
                    settings, opened, source.orElseThrow().identity(), maintenance, registry, clock));
            maintenance.scheduleThrottled(
                    RETENTION_INTERVAL, "Removing old entries of the audit trail", started.expiredEntryRemover());
            return started;
        });
        this.sender = source.map(records -> closeStack.add(trail.map(started -> ClusterAuditService.toTrail(
                        new AuditAppender(database.orElseThrow()),
                        () -> started.sink().ifPresent(SinkWorker::sendSoon),
                        records,
                        clock))
                .orElseGet(() -> ClusterAuditService.toSink(
                        settings,
                        settings.get(SettingsTable.AUDIT_SINK_URL).orElseThrow(),
                        records,
                        registry,
                        clock))));
    }

    List<Route> routes() {
        return trail.map(started -> new AuditRoutes(started.routeContext()).routes())
                .or(() -> sender.map(ClusterAuditService::routes))
                .orElseGet(AuditRoutes::disabled);
    }

    boolean isAlive() {
        return trail.map(AuditService::isAlive).orElse(true)
                && sender.map(ClusterAuditService::isAlive).orElse(true);
    }

    @Override
    public void close() {
        closeStack.close();
    }
}
