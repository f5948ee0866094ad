package dev.escapement.testkit.cluster;

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
 * folder of their own. There are no machines in it; {@link SimulatedKubelet} stands in for one. All of it ends with
 * {@link #close()}, and in any case with this process.
 *
 * <p>Safe for use by several threads, except that only one may stop and start the API server.
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
     * Starts a cluster; returns when it is ready for work.
     *
     * @throws ClusterException if programs are missing or one of them does not get ready
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
            // The logs stay: the message names them.
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
        controllerManager = Optional.of(controlPlane.startControllerManager(access.file()));
        ReadinessProbes.awaitReady(server, access, settings.readyTimeout());
        ReadinessProbes.awaitServiceAccount(
                controllerManager.orElseThrow(), access, "default", settings.readyTimeout());
    }

    /** The administrator's file for {@code KUBECONFIG}. */
    public Path kubeconfig() {
        return directory.kubeconfig("admin");
    }

    /** The administrator's client; it is closed with the cluster. */
    public KubernetesClient admin() {
        return admin.orElseThrow(() -> new IllegalStateException("the cluster is not started"));
    }

    /**
     * The access of a service account, with a token that the API server made for it. Another file at each call.
     *
     * @throws ClusterException if there is no such service account
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

    /** Where the API server answers. */
    public String apiAddress() {
        return controlPlane.apiAddress();
    }

    /** Where etcd answers, in plain text and to everybody on this machine. */
    public String etcdAddress() {
        return controlPlane.etcdAddress();
    }

    /** A line of JSON for each request that was answered, of the level Metadata. */
    public Path auditLog() {
        return directory.auditLog();
    }

    /** The folder of the logs and of everything else; it is removed with the cluster. */
    public Path directory() {
        return directory.path();
    }

    /** The kubectl that fits the cluster. */
    public Path kubectl() {
        return settings.binaries().program("kubectl");
    }

    /**
     * Applies a file, or all manifests of a folder, as {@code kubectl apply --server-side} of the administrator does.
     */
    public void apply(Path manifests) {
        new Kubectl(kubectl(), kubeconfig(), directory.path()).apply(manifests, settings.readyTimeout());
    }

    /** Kills the API server. Everything else goes on and misses it. */
    public void stopApiServer() {
        apiServer.ifPresent(ManagedProcess::close);
        apiServer = Optional.empty();
    }

    /** Starts the API server on the port that it had; returns when it is ready. */
    public void startApiServer() {
        if (apiServer.isPresent()) {
            throw new IllegalStateException("the API server runs");
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

    /**
     * Stops the API server's clockwork without closing a connection, as a machine that hangs does, or lets it go on.
     */
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

    /** Starts a node that runs nothing but says that it does. It ends with the cluster. */
    public synchronized SimulatedKubelet startKubelet() {
        SimulatedKubelet kubelet = SimulatedKubelet.start(new Kubeconfig(kubeconfig()));
        components.add(kubelet);
        return kubelet;
    }

    /** Ends everything and removes the folder. */
    @Override
    public void close() {
        removeShutdownHook(shutdownHook);
        stop();
    }

    /** Without a lock: whoever wants to end it does not wait for those who still start it. */
    private void stop() {
        stopProcesses();
        directory.remove();
    }

    private void stopProcesses() {
        for (AutoCloseable companion : components) {
            closeQuietly(companion);
        }
        admin.ifPresent(KubernetesClient::close);
        // The others first: they would only complain about what is gone.
        controllerManager.ifPresent(ManagedProcess::close);
        apiServer.ifPresent(ManagedProcess::close);
        etcd.ifPresent(ManagedProcess::close);
    }

    private static void closeQuietly(AutoCloseable companion) {
        try {
            companion.close();
        } catch (Exception useless) {
            // It goes with the process in any case, and the rest must go as well.
        }
    }

    private static void removeShutdownHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // Then it runs, or has run.
        }
    }

    private static String randomSecret() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
