package dev.escapement.notifications.store;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec.NotificationContext;
import dev.escapement.common.Json;
import dev.escapement.common.SafeText;
import dev.escapement.notifications.delivery.DeliveryPhase;
import dev.escapement.notifications.delivery.DeliveryStatus;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.storage.jdbc.EpochMicros;
import dev.escapement.storage.jdbc.SearchKey;
import dev.escapement.storage.jdbc.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;

/** Maps notifications to rows of the table {@code notifications}. */
final class NotificationRows {

    /** Stands for no next attempt: the last microsecond of the year 9999. */
    static final long NEVER = EpochMicros.of(Instant.parse("9999-12-31T23:59:59.999999Z"));

    private static final String INSERT_SQL =
            "INSERT INTO notifications (name, created_at, severity, target, phase, next_at, finished_at, lease_token,"
                    + " lease_until, channels, document) VALUES (?, ?, ?, ?, ?, ?, 0, '', 0, ?, ?) ON CONFLICT (name) DO ";

    private static final String UPDATE_SQL = "UPDATE notifications SET phase = ?, next_at = ?, finished_at = ?,"
            + " lease_token = '', lease_until = 0, channels = ?, document = ? WHERE name = ?";

    private NotificationRows() {}

    /** Inserts a notification; returns false if it exists already. */
    static boolean insert(SqlSession session, NotificationRequest request) throws SQLException {
        return session.update(INSERT_SQL + "NOTHING", parameters(request)) > 0;
    }

    /** Inserts a summary, or replaces the one that exists: the caller has locked it and knows that it was not sent. */
    static void upsert(SqlSession session, NotificationRequest request) throws SQLException {
        session.update(
                INSERT_SQL + "UPDATE SET channels = excluded.channels, document = excluded.document",
                parameters(request));
    }

    private static Object[] parameters(NotificationRequest request) {
        DeliveryStatus status = NotificationDocuments.status(request);
        NotificationContext context = NotificationDocuments.spec(request).context();
        String target = context == null ? "" : requireNonNullElse(context.targetResource(), "");
        String created = requireNonNull(request.metadata()).creationTimestamp();
        return new Object[] {
            NotificationDocuments.name(request),
            EpochMicros.of(Instant.parse(requireNonNull(created))),
            requireNonNull(NotificationDocuments.spec(request).severity()),
            SearchKey.of(target),
            status.phase().name(),
            nextAt(status),
            openChannels(request, status),
            SafeText.storable(Json.write(request))
        };
    }

    /** Every name stands between commas, so that no name is found in another. */
    private static String openChannels(NotificationRequest request, DeliveryStatus status) {
        return status.openChannels(NotificationDocuments.spec(request).channels()).stream()
                .map(NotificationRows::betweenCommas)
                .collect(Collectors.joining());
    }

    static String betweenCommas(String channel) {
        return "," + channel + ",";
    }

    private static long nextAt(DeliveryStatus status) {
        return status.nextAttemptAt().map(EpochMicros::of).orElse(NEVER);
    }

    /** Stores the result of an attempt and releases the lease. */
    static void update(SqlSession session, NotificationRequest request, DeliveryStatus status) throws SQLException {
        session.update(
                UPDATE_SQL,
                status.phase().name(),
                nextAt(status),
                status.completedAt().map(EpochMicros::of).orElse(0L),
                openChannels(request, status),
                SafeText.storable(Json.write(NotificationDocuments.withStatus(request, status))),
                NotificationDocuments.name(request));
    }

    static NotificationRequest read(String document) {
        return Json.read(document, NotificationRequest.class);
    }

    /** Reads the columns {@code document} and {@code phase}: while it is sent, only the column says so. */
    static NotificationRequest read(ResultSet row) throws SQLException {
        NotificationRequest request = read(row.getString("document"));
        return row.getString("phase").equals(DeliveryPhase.Sending.name())
                ? NotificationDocuments.withStatus(
                        request, NotificationDocuments.status(request).sending())
                : request;
    }

    static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
