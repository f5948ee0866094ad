package dev.escapement.server.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.api.ApiGroup;
import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.resource.ClearanceRequest;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Clears a target on a cluster with the credentials of the caller: annotates its ledger entry under the name that the
 * API server knows the caller by, and waits for the operator to process it.
 */
public final class ClusterClearance implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final int MAX_POLLS = 75;
    private static final String ENTRIES = "/apis/" + ApiGroup.API_VERSION + "/remediationtargets/";
    private static final String OWN_IDENTITY = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

    /** What became of a request. */
    public enum Outcome {
        CLEARED,
        NOTHING_TO_CLEAR,
        /** No operator has processed it yet. It stays and is processed later. */
        REQUESTED
    }

    /**
     * The answer to a request.
     *
     * @param actor the name of the caller
     * @param entry the ledger entry afterwards; missing if the target has none
     */
    public record Answer(Outcome outcome, String actor, JsonNode entry) {}

    private final KubernetesClient client;
    private final Consumer<Duration> sleeper;

    /** Opens a client with the credentials of the file. */
    public ClusterClearance(Path kubeconfig, Consumer<Duration> sleeper) {
        this.client = KubernetesClients.open(Optional.of(kubeconfig), (method, code) -> {});
        this.sleeper = sleeper;
    }

    /**
     * Clears the target in the name of the user of the credentials.
     *
     * @throws StartException if the cluster does not answer, does not know the resource or refuses
     */
    public Answer clear(Target target, String reason) {
        try {
            OperatorFactory.missingResources(client).ifPresent(problem -> {
                throw new StartException(Reason.CLUSTER, problem);
            });
            String actor = ownName();
            if (readEntry(target).isMissingNode()) {
                return new Answer(Outcome.NOTHING_TO_CLEAR, actor, MissingNode.getInstance());
            }
            client.resources(RemediationTargetResource.class)
                    .withName(target.objectName())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), annotationPatch(actor, reason));
            return awaitAnswer(target, actor, reason);
        } catch (KubernetesClientException failure) {
            throw new StartException(
                    Reason.CLUSTER,
                    "target %s cannot be cleared on the cluster at %s: %s"
                            .formatted(target, client.getMasterUrl(), StartException.rootMessage(failure)),
                    failure);
        }
    }

    private Answer awaitAnswer(Target target, String actor, String reason) {
        JsonNode entry = readEntry(target);
        for (int poll = 0; isRequested(entry) && poll < MAX_POLLS; poll++) {
            sleeper.accept(POLL_INTERVAL);
            entry = readEntry(target);
        }
        JsonNode clearance = entry.at("/status/clearance");
        boolean cleared = clearance.path("clearedBy").asText().equals(actor)
                && clearance.path("clearReason").asText().equals(ClearanceRequest.normalize(reason));
        Outcome answered = cleared ? Outcome.CLEARED : Outcome.NOTHING_TO_CLEAR;
        return new Answer(isRequested(entry) ? Outcome.REQUESTED : answered, actor, entry);
    }

    private static boolean isRequested(JsonNode entry) {
        return entry.path("metadata").path("annotations").has(ApiGroup.CLEAR);
    }

    private static String annotationPatch(String actor, String reason) {
        return Json.write(
                Map.of("metadata", Map.of("annotations", Map.of(ApiGroup.CLEAR, reason, ApiGroup.CLEARED_BY, actor))));
    }

    /** Returns the name by which the API server knows the caller. */
    private String ownName() {
        Map<String, String> review = Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview");
        return Json.read(client.raw(OWN_IDENTITY, "POST", review), JsonNode.class)
                .at("/status/userInfo/username")
                .asText();
    }

    private JsonNode readEntry(Target target) {
        try {
            String text = client.raw(ENTRIES + target.objectName());
            if (text == null) {
                return MissingNode.getInstance();
            }
            JsonNode entry = Json.read(text, JsonNode.class);
            if (entry.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove("managedFields");
            }
            return entry;
        } catch (KubernetesClientException failure) {
            if (failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return MissingNode.getInstance();
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
