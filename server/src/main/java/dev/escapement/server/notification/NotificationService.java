package dev.escapement.server.notification;

import dev.escapement.notifications.store.NotificationOutbox;
import dev.escapement.notifications.store.NotificationStore;
import dev.escapement.notifications.worker.DeliveryWorker;
import dev.escapement.notifications.worker.NotificationCreator;
import dev.escapement.server.CloseStack;
import dev.escapement.server.PeriodicTasks;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.http.notification.NotificationRoutes;
import dev.escapement.server.metrics.NotificationMetrics;
import dev.escapement.storage.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** Creates notifications from the journal and sends them, until it is closed. */
public final class NotificationService implements AutoCloseable {

    private static final Duration CLEANUP_INTERVAL = Duration.ofMinutes(10);
    private static final int CLEANUP_BATCH_SIZE = 500;
    /** Finds records whose notification was lost. */
    private static final Duration JOURNAL_SCAN_INTERVAL = Duration.ofMinutes(1);

    private final CloseStack closeStack = new CloseStack();
    private final NotificationChannels channels;
    private final NotificationStore store;
    private final NotificationCreator creator;
    private final Supplier<String> readPosition;
    private final DeliveryWorker worker;

    /**
     * Starts to create and send notifications.
     *
     * @param maintenance timer that also removes old notifications
     */
    public NotificationService(
            Settings settings,
            Database database,
            PeriodicTasks maintenance,
            MeterRegistry registry,
            InstantSource clock) {
        NotificationMetrics metrics = new NotificationMetrics(registry);
        this.channels = closeStack.add(new NotificationChannels(settings, metrics, clock));
        this.store = new NotificationStore(database.backend());
        metrics.registerPending(store::countUnfinished, System::nanoTime);
        this.worker = new DeliveryWorker(
                store,
                channels::setup,
                NotificationChannels.CONCURRENCY,
                NotificationChannels.MAX_PER_CHANNEL,
                metrics);
        NotificationOutbox outbox = new NotificationOutbox(database.backend(), channels::planner);
        this.readPosition = () -> outbox.position(database.journal().endPosition());
        this.creator = new NotificationCreator(database.journal(), outbox, metrics, worker::wakeUp);
        Duration stopGrace = settings.get(SettingsTable.STOP_GRACE);
        closeStack.add(() -> worker.close(stopGrace));
        closeStack.add(creator);
        worker.start();
        creator.start();
        Duration retention = settings.get(SettingsTable.NOTIFICATIONS_KEEP_FOR);
        maintenance.scheduleThrottled(
                CLEANUP_INTERVAL,
                "Removing old notifications",
                () -> store.removeFinished(retention, CLEANUP_BATCH_SIZE));
        maintenance.scheduleThrottled(
                JOURNAL_SCAN_INTERVAL, "Reading the journal for notifications", creator::readSoon);
    }

    /** Denies channels the port that the HTTP server got, if it was chosen by the system. */
    public void denyOwnPort(int port) {
        channels.denyOwnPort(port);
    }

    /** Returns up to where the journal was read; what comes after it must not be removed. */
    public String readPosition() {
        return readPosition.get();
    }

    public NotificationRoutes routes() {
        return new NotificationRoutes(store, channels::names, channels::sendTest);
    }

    /** Whether all of its threads run. */
    public boolean isAlive() {
        return creator.isAlive() && worker.isAlive();
    }

    /** Stops and waits for deliveries in progress; one that takes too long is repeated later. */
    @Override
    public void close() {
        closeStack.close();
    }
}
