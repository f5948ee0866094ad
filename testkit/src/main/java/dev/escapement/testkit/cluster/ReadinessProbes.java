package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits until a part of the cluster can be used. */
final class ReadinessProbes {

    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final int REQUEST_TIMEOUT_MILLIS = 5000;

    private ReadinessProbes() {}

    static void awaitPort(ManagedProcess child, int port, Duration patience) {
        await(child, () -> isListening(port), patience, "does not listen on port " + port);
    }

    static void awaitFile(ManagedProcess child, Path file, Duration patience) {
        await(child, () -> file.toFile().length() > 0 && Files.isReadable(file), patience, "did not make " + file);
    }

    static void awaitReady(ManagedProcess child, Kubeconfig access, Duration patience) {
        try (KubernetesClient client = clientWithoutRetries(access)) {
            await(child, () -> "ok".equals(getOrEmpty(client, "/readyz")), patience, "does not get ready");
        }
    }

    /** The controller manager makes one in each namespace; without it no pod can be made. */
    static void awaitServiceAccount(ManagedProcess child, Kubeconfig access, String namespace, Duration patience) {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/default";
        try (KubernetesClient client = clientWithoutRetries(access)) {
            await(
                    child,
                    () -> !getOrEmpty(client, path).isEmpty(),
                    patience,
                    "makes no service account in " + namespace);
        }
    }

    /** The usual client tries again after longer and longer waits; here it is we who do. */
    private static KubernetesClient clientWithoutRetries(Kubeconfig access) {
        Config config = access.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Waits for a condition, and gives up at once if the program ends. */
    static void await(ManagedProcess child, BooleanSupplier condition, Duration patience, String complaint) {
        ClusterPoller.waitUntil(
                () -> {
                    child.checkAlive();
                    return condition.getAsBoolean();
                },
                patience,
                () -> "after " + patience.toSeconds() + " s this still " + complaint + ": " + child.describe());
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String getOrEmpty(KubernetesClient client, String path) {
        try {
            String answer = client.raw(path);
            return answer == null ? "" : answer;
        } catch (KubernetesClientException notYet) {
            return "";
        }
    }
}
