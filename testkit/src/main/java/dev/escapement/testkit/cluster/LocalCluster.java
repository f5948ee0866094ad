package dev.escapement.testkit.cluster;

import dev.escapement.testkit.FreePorts;
import dev.escapement.testkit.cluster.node.SimulatedKubelet;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A real Kubernetes control plane on this machine: etcd, API server and controller manager, on free ports and in a
 * folder of their own. It has no machines; {@link SimulatedKubelet} simulates one. All programs end with
 * {@link #close()}, or with this process.
 *
 * <p>Thread-safe, except that only one thread may stop and start the API server.
 */
public final class LocalCluster implements AutoCloseable {

    /** Longer than any test. */
    private static final Duration TOKEN_LIFETIME = Duration.ofHours(12);

    private final LocalClusterOptions settings;
    private final ClusterDirectory directory;
    private final ControlPlane controlPlane;
    private final List<AutoCloseable> components = new CopyOnWriteArrayList<>();
    private final Thread shutdownHook = new Thread(this::stop, "cluster-end");

    private volatile Optional<ManagedProcess> etcd = Optional.empty();
    private volatile Optional<ManagedProcess> apiServer = Optional.empty();
    private volatile Optional<ManagedProcess> controllerManager = Optional.empty();
    private volatile Optional<KubernetesClient> admin = Optional.empty();
    private volatile Optional<TektonProcesses> tekton = Optional.empty();

    private LocalCluster(LocalClusterOptions settings, ClusterDirectory layout, ControlPlane plane) {
        this.settings = settings;
        this.directory = layout;
        this.controlPlane = plane;
    }

    /**
     * Starts a cluster; returns when it is ready.
     *
     * @throws ClusterException if programs are missing or one of them does not become ready
     */
    public static LocalCluster start(LocalClusterOptions settings) {
        if (!settings.binaries().missing().isEmpty()) {
            throw new ClusterException(settings.binaries().missingMessage());
        }
        ClusterDirectory layout = ClusterDirectory.create();
        LocalCluster cluster = new LocalCluster(settings, layout, createControlPlane(settings, layout));
        Runtime.getRuntime().addShutdownHook(cluster.shutdownHook);
        try {
            cluster.startAll();
            return cluster;
        } catch (RuntimeException failure) {
            cluster.stopProcesses();
            // The message names the logs, so they are kept.
            removeShutdownHook(cluster.shutdownHook);
            throw failure;
        }
    }

    private static ControlPlane createControlPlane(LocalClusterOptions settings, ClusterDirectory layout) {
        List<Integer> ports = FreePorts.allocate(4);
        try {
            layout.copyResource("audit-policy.yaml", layout.auditPolicy());
            return new ControlPlane(
                    settings.binaries(),
                    layout,
                    ServiceAccountKeys.generate(layout.path()),
                    settings.durable(),
                    settings.jsonStorage(),
                    ports.get(0),
                    ports.get(1),
                    ports.get(2),
                    ports.get(3));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write into " + layout.path(), refused);
        }
    }

    private void startAll() {
        settings.progress().accept("starting etcd " + ClusterVersions.pinned().etcd());
        String token = randomSecret();
        try {
            ServiceAccountKeys.writeSecret(directory.tokenFile(), token + ",admin,admin,\"system:masters\"\n");
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        ManagedProcess store = controlPlane.startEtcd();
        etcd = Optional.of(store);
        ReadinessProbes.awaitPort(store, controlPlane.etcdPort(), settings.readyTimeout());
        settings.progress()
                .accept("starting the API server " + ClusterVersions.pinned().kubernetes());
        ManagedProcess server = controlPlane.startApiServer();
        apiServer = Optional.of(server);
        ReadinessProbes.awaitFile(server, directory.servingKey(), settings.readyTimeout());
        Kubeconfig access = Kubeconfig.write(
                directory.kubeconfig("admin"),
                controlPlane.apiAddress(),
                directory.certificateAuthority(),
                "admin",
                token);
        admin = Optional.of(access.client());
        ReadinessProbes.awaitReady(server, access, settings.readyTimeout());
        // Not before: it exits if its first TLS handshake takes more than 10 s, which happens on a busy machine while
        // the
        // API server has opened its port but does not serve yet.
        controllerManager = Optional.of(controlPlane.startControllerManager(access.file()));
        ReadinessProbes.awaitServiceAccount(
                controllerManager.orElseThrow(), access, "default", settings.readyTimeout());
    }

    /** Returns the kubeconfig file of the administrator. */
    public Path kubeconfig() {
        return directory.kubeconfig("admin");
    }

    /** Returns the client of the administrator, which is closed with the cluster. */
    public KubernetesClient admin() {
        return admin.orElseThrow(() -> new IllegalStateException("the cluster is not started"));
    }

    /**
     * Returns a new kubeconfig file of a service account, with a new token.
     *
     * @throws ClusterException if the service account does not exist
     */
    public Kubeconfig kubeconfigFor(String namespace, String serviceAccount) {
        TokenRequest wanted = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(TOKEN_LIFETIME.toSeconds())
                .endSpec()
                .build();
        try {
            TokenRequest made = admin().serviceAccounts()
                    .inNamespace(namespace)
                    .withName(serviceAccount)
                    .tokenRequest(wanted);
            Path file = directory.kubeconfig("%s.%s.%s"
                    .formatted(namespace, serviceAccount, randomSecret().substring(0, 8)));
            return Kubeconfig.write(
                    file,
                    controlPlane.apiAddress(),
                    directory.certificateAuthority(),
                    serviceAccount,
                    made.getStatus().getToken());
        } catch (KubernetesClientException refused) {
            throw new ClusterException(
                    "no token for %s/%s: %s".formatted(namespace, serviceAccount, refused.getMessage()));
        }
    }

    /** Returns the URL of the API server. */
    public String apiAddress() {
        return controlPlane.apiAddress();
    }

    /** Returns the URL of etcd, without TLS and authentication. */
    public String etcdAddress() {
        return controlPlane.etcdAddress();
    }

    /** Returns the audit log: a line of JSON for each response, with the level Metadata. */
    public Path auditLog() {
        return directory.auditLog();
    }

    /** Returns the folder of the logs and all other files, which is removed with the cluster. */
    public Path directory() {
        return directory.path();
    }

    /** Returns the kubectl with the version of the cluster. */
    public Path kubectl() {
        return settings.binaries().program("kubectl");
    }

    /**
     * Applies a file, or all manifests of a folder, as {@code kubectl apply --server-side} of the administrator does.
     */
    public void apply(Path manifests) {
        new Kubectl(kubectl(), kubeconfig(), directory.path()).apply(manifests, settings.readyTimeout());
    }

    /** Kills the API server; the other programs continue. */
    public void stopApiServer() {
        apiServer.ifPresent(ManagedProcess::close);
        apiServer = Optional.empty();
    }

    /** Starts the API server on the same port; returns when it is ready. */
    public void startApiServer() {
        if (apiServer.isPresent()) {
            throw new IllegalStateException("the API server is already running");
        }
        ManagedProcess server = controlPlane.startApiServer();
        apiServer = Optional.of(server);
        ReadinessProbes.awaitReady(server, new Kubeconfig(kubeconfig()), settings.readyTimeout());
    }

    /** Kills the API server and starts it on the same port. */
    public void restartApiServer() {
        stopApiServer();
        startApiServer();
    }

    /** Freezes the API server with SIGSTOP, so that its connections stay open, or continues it. */
    public void setApiServerFrozen(boolean frozen) {
        apiServer.ifPresent(server -> server.setFrozen(frozen));
    }

    /** Installs Tekton Pipelines and starts its programs; returns when they are ready. A second call does nothing. */
    public synchronized void installTekton() {
        if (tekton.isEmpty()) {
            TektonProcesses installed = new TektonProcesses(this, settings, directory);
            components.add(installed);
            installed.start();
            tekton = Optional.of(installed);
        }
    }

    /** Kills Tekton's webhook, or starts it again and waits until it responds. */
    public void setTektonWebhookRunning(boolean running) {
        tekton.ifPresent(running ? TektonProcesses::startWebhook : TektonProcesses::stopWebhook);
    }

    /** Kills Tekton's controller, or starts it again. */
    public void setTektonControllerRunning(boolean running) {
        tekton.ifPresent(running ? TektonProcesses::startController : TektonProcesses::stopController);
    }

    /** Starts a simulated node, which stops with the cluster. */
    public synchronized SimulatedKubelet startKubelet() {
        SimulatedKubelet kubelet = SimulatedKubelet.start(new Kubeconfig(kubeconfig()));
        components.add(kubelet);
        return kubelet;
    }

    /** Stops all programs and removes the folder. */
    @Override
    public void close() {
        removeShutdownHook(shutdownHook);
        stop();
    }

    /** Without a lock, so that a stop does not wait for a start in progress. */
    private void stop() {
        stopProcesses();
        directory.remove();
    }

    private void stopProcesses() {
        for (AutoCloseable companion : components) {
            closeQuietly(companion);
        }
        admin.ifPresent(KubernetesClient::close);
        // Dependent programs first, because they would log errors.
        controllerManager.ifPresent(ManagedProcess::close);
        apiServer.ifPresent(ManagedProcess::close);
        etcd.ifPresent(ManagedProcess::close);
    }

    private static void closeQuietly(AutoCloseable companion) {
        try {
            companion.close();
        } catch (Exception useless) {
            // It ends with this process in any case; the other programs must be stopped too.
        }
    }

    private static void removeShutdownHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The shutdown hook is running or has run.
        }
    }

    private static String randomSecret() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
