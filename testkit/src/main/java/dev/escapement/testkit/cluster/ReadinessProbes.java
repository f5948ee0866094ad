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

/** Waits until a program of the cluster is ready. */
final class ReadinessProbes {

    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final int REQUEST_TIMEOUT_MILLIS = 5000;

    private ReadinessProbes() {}

    static void awaitPort(ManagedProcess child, int port, Duration timeout) {
        await(child, () -> isListening(port), timeout, "does not listen on port " + port);
    }

    static void awaitFile(ManagedProcess child, Path file, Duration timeout) {
        await(child, () -> file.toFile().length() > 0 && Files.isReadable(file), timeout, "has not written " + file);
    }

    static void awaitReady(ManagedProcess child, Kubeconfig access, Duration timeout) {
        try (KubernetesClient client = clientWithoutRetries(access)) {
            await(child, () -> "ok".equals(getOrEmpty(client, "/readyz")), timeout, "is not ready");
        }
    }

    /** The controller manager creates a service account in each namespace; pods cannot be created without it. */
    static void awaitServiceAccount(ManagedProcess child, Kubeconfig access, String namespace, Duration timeout) {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/default";
        try (KubernetesClient client = clientWithoutRetries(access)) {
            await(
                    child,
                    () -> !getOrEmpty(client, path).isEmpty(),
                    timeout,
                    "has created no service account in " + namespace);
        }
    }

    /** Without the retries of the client, because this class retries itself. */
    private static KubernetesClient clientWithoutRetries(Kubeconfig access) {
        Config config = access.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Waits for a condition; throws at once if the program exits. */
    static void await(ManagedProcess child, BooleanSupplier condition, Duration timeout, String problem) {
        ClusterPoller.waitUntil(
                () -> {
                    child.checkAlive();
                    return condition.getAsBoolean();
                },
                timeout,
                () -> "after " + timeout.toSeconds() + " s a program still " + problem + ": " + child.describe());
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
