package dev.escapement.server.audit;

import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.notifications.audit.AuditTrail;
import dev.escapement.notifications.audit.CheckpointStore;
import dev.escapement.notifications.audit.sink.HttpSinkClient;
import dev.escapement.notifications.audit.sink.SinkSender;
import dev.escapement.notifications.audit.sink.SinkStore;
import dev.escapement.notifications.audit.sink.SinkWorker;
import dev.escapement.notifications.journal.JournalReader;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.audit.AuditRouteContext;
import dev.escapement.server.metrics.AuditMetrics;
import dev.escapement.storage.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The running audit trail of a server.
 *
 * @param reader copies the journal
 * @param sink empty if none is configured
 * @param expiredEntryRemover removes the entries whose retention has passed, which may take minutes
 */
public record AuditService(
        AuditTrail trail,
        JournalReader reader,
        Optional<SinkWorker> sink,
        AuditRouteContext routeContext,
        Runnable expiredEntryRemover)
        implements AutoCloseable {

    /** Copies also without a notification: one may be lost. */
    private static final Duration COPY_INTERVAL = Duration.ofMinutes(1);

    /** The trail may be this far behind the journal: in return, a busy server has few transactions for it. */
    private static final Duration COLLECTION_TIME = Duration.ofMillis(200);

    private static final String COPY_ACTIVITY = "Copying the journal to the audit trail";
    private static final String CREATE_CHECKPOINT = "Creating a checkpoint of the audit trail";
    private static final String BATCH_PATH = "/api/v1/audit/events/batch";

    /**
     * Starts to copy the journal and to send records, and schedules checkpoints.
     *
     * @param serverId names this server among those that could send
     * @param maintenance timer that also creates checkpoints
     */
    public static AuditService start(
            Settings settings,
            Database database,
            String serverId,
            PeriodicTasks maintenance,
            MeterRegistry registry,
            InstantSource clock) {
        AuditTrail trail = new AuditTrail(database.backend());
        CheckpointStore checkpoints = new CheckpointStore(database.backend());
        SinkStore sinkStore = new SinkStore(database.backend());
        AuditMetrics metrics = new AuditMetrics(registry);
        Optional<SinkWorker> sink = settings.get(SettingsTable.AUDIT_SINK_URL)
                .map(url -> new SinkWorker(new SinkSender(
                        trail,
                        sinkStore,
                        openClient(settings, url, clock),
                        serverId,
                        settings.get(SettingsTable.AUDIT_SINK_BATCH_SIZE),
                        clock,
                        metrics::countAttempt)));
        Runnable wakeSink = () -> sink.ifPresent(SinkWorker::sendSoon);
        AuditAppender appender = new AuditAppender(database);
        JournalReader reader = new JournalReader(database.journal(), "audit", COPY_ACTIVITY, COLLECTION_TIME, () -> {
                    AuditAppender.Result result = appender.appendNext();
                    wakeSink.run();
                    return result != AuditAppender.Result.COMPLETE;
                })
                .start();
        maintenance.scheduleThrottled(COPY_INTERVAL, COPY_ACTIVITY, reader::readSoon);
        maintenance.scheduleThrottled(
                settings.get(SettingsTable.AUDIT_CHECKPOINT_INTERVAL),
                CREATE_CHECKPOINT,
                () -> checkpoints.create(clock.instant()));
        maintenance.submit(CREATE_CHECKPOINT, () -> checkpoints.create(clock.instant()));
        Duration retention = settings.get(SettingsTable.AUDIT_RETENTION);
        Runnable removeExpired = () -> {
            // What the sink has not confirmed is kept.
            long maxSequence = sink.isPresent() ? sinkStore.position() : Long.MAX_VALUE;
            checkpoints.removeBefore(clock.instant().minus(retention), maxSequence);
        };
        metrics.registerTrail(trail::head, System::nanoTime);
        metrics.registerSink(
                () -> sink.isPresent() ? sinkStore.backlog() : SinkStore.Backlog.NONE, clock, System::nanoTime);
        return new AuditService(
                trail, reader, sink, AuditRouteContext.of(database).onReplay(wakeSink), removeExpired);
    }

    static HttpSinkClient openClient(Settings settings, URI url, InstantSource clock) {
        return HttpSinkClient.open(
                URI.create(url.toString().replaceFirst("/+$", "") + BATCH_PATH),
                settings.get(SettingsTable.AUDIT_SINK_TOKEN_FILE),
                settings.get(SettingsTable.AUDIT_SINK_TIMEOUT),
                clock);
    }

    /** Returns up to which position the journal is copied: its own retention may remove these records. */
    public String copiedPosition() {
        return trail.head().journalPosition();
    }

    public boolean isAlive() {
        return reader.isAlive() && sink.map(SinkWorker::isAlive).orElse(true);
    }

    @Override
    public void close() {
        reader.close();
        sink.ifPresent(SinkWorker::close);
    }
}
