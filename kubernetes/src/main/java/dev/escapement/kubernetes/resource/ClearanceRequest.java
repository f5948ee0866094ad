package dev.escapement.kubernetes.resource;

import dev.escapement.api.ApiGroup;
import dev.escapement.common.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * The request of a person to clear a target, given by two annotations on its entry. An admission policy of the API
 * server verifies that the actor is the caller.
 */
public record ClearanceRequest(String actor, String reason) {

    /** What a record of a clearance has room for. */
    private static final int MAX_LENGTH = 1_000;

    /** Returns the request that an entry carries; empty if there is none or if it lacks the actor or the reason. */
    public static Optional<ClearanceRequest> of(HasMetadata entry) {
        ClearanceRequest request =
                new ClearanceRequest(annotation(entry, ApiGroup.CLEARED_BY), annotation(entry, ApiGroup.CLEAR));
        return Optional.of(request).filter(given -> !given.actor.isBlank() && !given.reason.isBlank());
    }

    /** Returns whether an entry carries one of the annotations, or both. */
    public static boolean isPresentOn(HasMetadata entry) {
        Map<String, String> annotations = annotations(entry.getMetadata());
        return annotations.containsKey(ApiGroup.CLEAR) || annotations.containsKey(ApiGroup.CLEARED_BY);
    }

    /** Returns a copy of the metadata without the request. */
    public static ObjectMeta removeFrom(ObjectMeta metadata) {
        return new ObjectMetaBuilder(metadata)
                .removeFromAnnotations(ApiGroup.CLEAR)
                .removeFromAnnotations(ApiGroup.CLEARED_BY)
                .build();
    }

    private static String annotation(HasMetadata entry, String key) {
        return normalize(annotations(entry.getMetadata()).getOrDefault(key, ""));
    }

    /** Returns a name or a reason as it is recorded: one line of limited length. */
    public static String normalize(String text) {
        return SafeText.sanitize(text, MAX_LENGTH);
    }

    private static Map<String, String> annotations(ObjectMeta metadata) {
        return Optional.ofNullable(metadata.getAnnotations()).orElse(Map.of());
    }
}
