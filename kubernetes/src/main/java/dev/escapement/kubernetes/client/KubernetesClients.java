package dev.escapement.kubernetes.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.escapement.api.ApiGroup;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.common.Json;
import dev.escapement.kubernetes.client.PingingHttpClient.PingingHttpClientFactory;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Opens clients of the API server and checks what it serves. */
public final class KubernetesClients {

    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
    private static final int REQUEST_TIMEOUT_MILLIS = 15_000;

    /** The engine retries writes itself, because it must read the current state first. */
    private static final int NO_RETRIES = 0;

    private static final String TEKTON_API_VERSION = "tekton.dev/v1";

    private KubernetesClients() {}

    /**
     * Opens a client.
     *
     * @param kubeconfig a file; without it the usual places: {@code KUBECONFIG}, the service account of a pod,
     *     {@code ~/.kube/config}
     * @param listener receives the HTTP method and the HTTP status of every response
     * @throws KubernetesClientException if no configuration can be read
     */
    public static KubernetesClient open(Optional<Path> kubeconfig, ObjIntConsumer<String> listener) {
        Config config = kubeconfig
                .map(file -> Config.fromKubeconfig(file.toFile()))
                .orElseGet(() -> Config.autoConfigure(null));
        return open(config, listener);
    }

    /** Opens a client with this configuration; its timeouts and retries are replaced. */
    public static KubernetesClient open(Config config, ObjIntConsumer<String> listener) {
        Config tuned = new ConfigBuilder(config)
                .withConnectionTimeout(CONNECT_TIMEOUT_MILLIS)
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withRequestRetryBackoffLimit(NO_RETRIES)
                // With HTTP/2 all calls share one connection, even after it was silently dropped and all of them have
                // timed out; with HTTP/1.1 a call that times out closes its connection.
                .withHttp2Disable(true)
                .build();
        TokenFileReader.of(config).ifPresent(tuned::setOauthTokenProvider);
        return new KubernetesClientBuilder()
                .withConfig(tuned)
                .withKubernetesSerialization(new KubernetesSerialization(
                        new ObjectMapper().addMixIn(ObjectMeta.class, ManagedFieldsMixin.class), true))
                .withHttpClientFactory(new PingingHttpClientFactory(PingingHttpClient.PING_INTERVAL))
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("escapement-calls", new ResponseInterceptor(listener)))
                .build();
    }

    /**
     * Ignores {@code managedFields}, often the larger half of an object: it is not used here, and the API server keeps
     * it when an update leaves it out.
     */
    @JsonIgnoreProperties("managedFields")
    private static final class ManagedFieldsMixin {}

    private record ResponseInterceptor(ObjIntConsumer<String> listener) implements Interceptor {
        @Override
        public void after(
                HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
            listener.accept(request.method(), response.code());
        }
    }

    public static List<String> missingResourceKinds(KubernetesClient client) {
        List<String> kinds = servedKinds(client, ApiGroup.API_VERSION);
        return Stream.of(WorkflowExecution.KIND, RemediationTarget.KIND, NotificationRequest.KIND)
                .filter(kind -> !kinds.contains(kind))
                .toList();
    }

    /**
     * Returns whether the installed definition of targets is older than this program: the API server would refuse the
     * states that it writes. False if the API server does not publish the definition.
     */
    public static boolean hasOutdatedTargets(KubernetesClient client) {
        String document = client.raw("/openapi/v3/apis/" + ApiGroup.API_VERSION);
        if (document == null) {
            return false;
        }
        JsonNode schemas = Json.read(document, JsonNode.class).at("/components/schemas");
        return StreamSupport.stream(schemas.spliterator(), false)
                .map(schema -> schema.at("/properties/status/properties/state/enum"))
                .filter(JsonNode::isArray)
                .anyMatch(states -> StreamSupport.stream(states.spliterator(), false)
                        .noneMatch(state -> state.asText().equals("CoolingDown")));
    }

    /**
     * Reads notifications, as the operator will.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 403, and the name of the permission, if
     *     it may not
     */
    public static void checkNotificationAccess(KubernetesClient client) {
        var unused = client.resources(NotificationRequestResource.class)
                .inAnyNamespace()
                .list(new ListOptionsBuilder().withLimit(1L).build());
    }

    public static boolean hasTekton(KubernetesClient client) {
        return servedKinds(client, TEKTON_API_VERSION).contains("PipelineRun");
    }

    private static List<String> servedKinds(KubernetesClient client, String groupVersion) {
        return Optional.ofNullable(client.getApiResources(groupVersion))
                .map(list ->
                        list.getResources().stream().map(APIResource::getKind).toList())
                .orElseGet(List::of);
    }

    /** Returns whether this process runs in a pod: whether the token file of a service account exists. */
    public static boolean isInPod() {
        return new File(Utils.getSystemPropertyOrEnvVar(
                        Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY,
                        Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH))
                .exists();
    }
}
