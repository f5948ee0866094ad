package dev.escapement.server.audit;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.common.Json;
import dev.escapement.engine.port.Journal;
import dev.escapement.kubernetes.audit.AuditOutbox;
import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.notifications.audit.sink.SinkClient;
import dev.escapement.notifications.audit.sink.SinkResponse;
import dev.escapement.notifications.audit.sink.SinkSender;
import dev.escapement.notifications.audit.sink.SinkStore.Backlog;
import dev.escapement.notifications.audit.sink.SinkWorker;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.audit.AuditRoutes;
import dev.escapement.server.metrics.AuditMetrics;
import dev.escapement.storage.problem.StorageException;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Sends the audit records of a cluster to a sink or a trail, from the replica that leads. */
public final class ClusterAuditService implements AutoCloseable {

    private static final Duration MAINTENANCE_INTERVAL = Duration.ofMinutes(1);
    private static final String MAINTENANCE = "Storing undelivered audit records";
    private static final int TRAIL_BATCH_SIZE = 500;

    private final ClusterSinkQueue queue;
    private final SinkWorker worker;
    private final PeriodicTasks maintenance;
    private final Journal.Subscription subscription;

    /** What the records are taken from. */
    public record Source(AuditOutbox outbox, Journal journal, BooleanSupplier leading, String identity) {}

    private ClusterAuditService(
            Source source, SinkClient client, int batchSize, InstantSource clock, Consumer<SinkResponse> listener) {
        AuditOutbox outbox = source.outbox();
        outbox.start(source.leading());
        queue = new ClusterSinkQueue(outbox);
        worker = new SinkWorker(new SinkSender(queue, client, source.identity(), batchSize, clock, listener));
        maintenance = new PeriodicTasks("audit");
        maintenance.submit(MAINTENANCE, outbox::maintain);
        maintenance.scheduleFixedDelay(MAINTENANCE_INTERVAL, MAINTENANCE, outbox::maintain);
        subscription = source.journal().onAppend(worker::sendSoon);
    }

    /**
     * Starts to send to a sink over HTTP.
     *
     * @param source of the records; its caches are synced
     */
    public static ClusterAuditService toSink(
            Settings settings, URI url, Source source, MeterRegistry registry, InstantSource clock) {
        AuditMetrics metrics = new AuditMetrics(registry);
        metrics.registerSink(
                () -> {
                    AuditOutbox.Backlog backlog = source.outbox().backlog();
                    return new Backlog(backlog.records(), backlog.oldest(), backlog.letters());
                },
                clock,
                System::nanoTime);
        return new ClusterAuditService(
                source,
                AuditService.openClient(settings, url, clock),
                settings.get(SettingsTable.AUDIT_SINK_BATCH_SIZE),
                clock,
                metrics::countAttempt);
    }

    /**
     * Starts to append to the trail in a database. While the database is unavailable the records are kept on the
     * cluster, as for a sink.
     *
     * @param afterAppend called when the trail may have new records
     */
    public static ClusterAuditService toTrail(
            AuditAppender appender, Runnable afterAppend, Source source, InstantSource clock) {
        SinkClient client = documents -> {
            try {
                boolean appended = appender.appendMissing(documents.stream()
                        .map(document -> Json.read(document, AuditRecord.class))
                        .toList());
                afterAppend.run();
                return appended
                        ? new SinkResponse.Accepted()
                        : new SinkResponse.Unavailable("other servers append all the time", Optional.empty());
            } catch (StorageException unavailable) {
                return new SinkResponse.Unavailable(String.valueOf(unavailable.getMessage()), Optional.empty());
            }
        };
        return new ClusterAuditService(source, client, TRAIL_BATCH_SIZE, clock, response -> {});
    }

    /** Returns the routes of what the sink refused; all others say that there is no trail. */
    public List<Route> routes() {
        return AuditRoutes.ofSink(queue::listDeadLetters, () -> {
            int requested = queue.requestReplay();
            worker.sendSoon();
            return requested;
        });
    }

    public boolean isAlive() {
        return worker.isAlive() && maintenance.isAlive();
    }

    @Override
    public void close() {
        subscription.close();
        maintenance.close();
        worker.close();
    }
}
