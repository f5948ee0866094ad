package dev.escapement.notifications.channel;

import static java.util.Objects.requireNonNullElse;

import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.notification.NotificationRequestSpec;
import dev.escapement.common.SafeText;
import dev.escapement.notifications.delivery.DeliveryResult;
import dev.escapement.notifications.delivery.NotificationChannel;
import dev.escapement.notifications.delivery.NotificationDocuments;
import dev.escapement.notifications.message.NotificationSeverity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notifications to the log of the server: those that need a person at level warn, others at info. */
public final class LogChannel implements NotificationChannel {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.notifications");
    private static final int MAX_LENGTH = 1_000;

    @Override
    public DeliveryResult send(NotificationRequest request) {
        NotificationRequestSpec spec = NotificationDocuments.spec(request);
        String severity = requireNonNullElse(spec.severity(), NotificationSeverity.INFO.text());
        (severity.equals(NotificationSeverity.INFO.text()) ? LOG.atInfo() : LOG.atWarn())
                .addKeyValue("notification", NotificationDocuments.name(request))
                .addKeyValue("severity", severity)
                .log(
                        "{}; {}",
                        requireNonNullElse(spec.subject(), ""),
                        SafeText.sanitize(requireNonNullElse(spec.message(), "").replace("\n", "; "), MAX_LENGTH));
        return DeliveryResult.sent("written to the log");
    }
}
