package dev.escapement.api.notification;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.ApiRecord;
import dev.escapement.api.ObjectMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code NotificationRequest}: a message for a person, the channels that it is sent to, and its delivery.
 *
 * @param apiVersion {@code kubernaut.ai/v1alpha1}
 * @param kind {@code NotificationRequest}
 */
public record NotificationRequest(
        @Nullable String apiVersion,
        @Nullable String kind,
        @Nullable ObjectMetadata metadata,
        @Nullable NotificationRequestSpec spec,
        @Nullable NotificationRequestStatus status,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {

    /** The value of the field {@code kind}. */
    public static final String KIND = "NotificationRequest";

    /** Returns a document of this version's {@code apiVersion} and {@code kind}. */
    public static NotificationRequest of(
            ObjectMetadata metadata, NotificationRequestSpec spec, @Nullable NotificationRequestStatus status) {
        return new NotificationRequest(ApiGroup.API_VERSION, KIND, metadata, spec, status, Map.of());
    }
}
