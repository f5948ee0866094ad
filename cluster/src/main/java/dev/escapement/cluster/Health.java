package dev.escapement.cluster;

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
final class Health {

    private static final int CONNECT_MILLIS = 500;
    private static final int ANSWER_MILLIS = 5000;

    private Health() {}

    static void awaitPort(Child child, int port, Duration patience) {
        await(child, () -> listens(port), patience, "does not listen on port " + port);
    }

    static void awaitFile(Child child, Path file, Duration patience) {
        await(child, () -> file.toFile().length() > 0 && Files.isReadable(file), patience, "did not make " + file);
    }

    static void awaitReady(Child child, Access access, Duration patience) {
        try (KubernetesClient client = impatient(access)) {
            await(child, () -> "ok".equals(answer(client, "/readyz")), patience, "does not get ready");
        }
    }

    /** The controller manager makes one in each namespace; without it no pod can be made. */
    static void awaitServiceAccount(Child child, Access access, String namespace, Duration patience) {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/default";
        try (KubernetesClient client = impatient(access)) {
            await(child, () -> !answer(client, path).isEmpty(), patience, "makes no service account in " + namespace);
        }
    }

    /** The usual client tries again after longer and longer waits; here it is we who do. */
    private static KubernetesClient impatient(Access access) {
        Config config = access.config();
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(ANSWER_MILLIS);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Waits for a condition, and gives up at once if the program ends. */
    static void await(Child child, BooleanSupplier condition, Duration patience, String complaint) {
        Waiting.until(
                () -> {
                    child.checkAlive();
                    return condition.getAsBoolean();
                },
                patience,
                () -> "after " + patience.toSeconds() + " s this still " + complaint + ": " + child.describe());
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String answer(KubernetesClient client, String path) {
        try {
            String answer = client.raw(path);
            return answer == null ? "" : answer;
        } catch (KubernetesClientException notYet) {
            return "";
        }
    }
}
