package dev.escapement.cluster;

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
public final class Cluster implements AutoCloseable {

    /** Longer than any test. */
    private static final Duration TOKEN_LIFE = Duration.ofHours(12);

    private final ClusterSettings settings;
    private final Layout layout;
    private final ControlPlane plane;
    private final List<AutoCloseable> companions = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::stop, "cluster-end");

    private volatile Optional<Child> etcd = Optional.empty();
    private volatile Optional<Child> apiServer = Optional.empty();
    private volatile Optional<Child> manager = Optional.empty();
    private volatile Optional<KubernetesClient> admin = Optional.empty();
    private volatile Optional<Tekton> tekton = Optional.empty();

    private Cluster(ClusterSettings settings, Layout layout, ControlPlane plane) {
        this.settings = settings;
        this.layout = layout;
        this.plane = plane;
    }

    /**
     * Starts a cluster; returns when it is ready for work.
     *
     * @throws ClusterException if programs are missing or one of them does not get ready
     */
    public static Cluster start(ClusterSettings settings) {
        if (!settings.binaries().missing().isEmpty()) {
            throw new ClusterException(settings.binaries().howToGet());
        }
        Layout layout = Layout.make();
        Cluster cluster = new Cluster(settings, layout, plan(settings, layout));
        Runtime.getRuntime().addShutdownHook(cluster.hook);
        try {
            cluster.startAll();
            return cluster;
        } catch (RuntimeException failure) {
            cluster.stopProcesses();
            // The logs stay: the message names them.
            forget(cluster.hook);
            throw failure;
        }
    }

    private static ControlPlane plan(ClusterSettings settings, Layout layout) {
        List<Integer> ports = FreePorts.take(4);
        try {
            layout.copyResource("audit-policy.yaml", layout.auditPolicy());
            return new ControlPlane(
                    settings.binaries(),
                    layout,
                    KeyPairFiles.make(layout.folder()),
                    settings.durable(),
                    settings.readable(),
                    ports.get(0),
                    ports.get(1),
                    ports.get(2),
                    ports.get(3));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write into " + layout.folder(), refused);
        }
    }

    private void startAll() {
        settings.progress().accept("starting etcd " + Versions.pinned().etcd());
        String token = secret();
        try {
            KeyPairFiles.writeSecret(layout.tokens(), token + ",admin,admin,\"system:masters\"\n");
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        Child store = plane.startEtcd();
        etcd = Optional.of(store);
        Health.awaitPort(store, plane.etcdPort(), settings.patience());
        settings.progress()
                .accept("starting the API server " + Versions.pinned().kubernetes());
        Child server = plane.startApiServer();
        apiServer = Optional.of(server);
        Health.awaitFile(server, layout.servingKey(), settings.patience());
        Access access =
                Access.write(layout.kubeconfig("admin"), plane.apiAddress(), layout.authority(), "admin", token);
        admin = Optional.of(access.client());
        manager = Optional.of(plane.startControllerManager(access.kubeconfig()));
        Health.awaitReady(server, access, settings.patience());
        Health.awaitServiceAccount(manager.orElseThrow(), access, "default", settings.patience());
    }

    /** The administrator's file for {@code KUBECONFIG}. */
    public Path kubeconfig() {
        return layout.kubeconfig("admin");
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
    public Access tokenFor(String namespace, String serviceAccount) {
        TokenRequest wanted = new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(TOKEN_LIFE.toSeconds())
                .endSpec()
                .build();
        try {
            TokenRequest made = admin().serviceAccounts()
                    .inNamespace(namespace)
                    .withName(serviceAccount)
                    .tokenRequest(wanted);
            Path file = layout.kubeconfig("%s.%s.%s".formatted(namespace, serviceAccount, secret().substring(0, 8)));
            return Access.write(
                    file,
                    plane.apiAddress(),
                    layout.authority(),
                    serviceAccount,
                    made.getStatus().getToken());
        } catch (KubernetesClientException refused) {
            throw new ClusterException(
                    "no token for %s/%s: %s".formatted(namespace, serviceAccount, refused.getMessage()));
        }
    }

    /** Where the API server answers. */
    public String apiAddress() {
        return plane.apiAddress();
    }

    /** Where etcd answers, in plain text and to everybody on this machine. */
    public String etcdAddress() {
        return plane.etcdAddress();
    }

    /** A line of JSON for each request that was answered, of the level Metadata. */
    public Path auditLog() {
        return layout.auditLog();
    }

    /** The folder of the logs and of everything else; it is removed with the cluster. */
    public Path folder() {
        return layout.folder();
    }

    /** The kubectl that fits the cluster. */
    public Path kubectl() {
        return settings.binaries().program("kubectl");
    }

    /**
     * Applies a file, or all manifests of a folder, as {@code kubectl apply --server-side} of the administrator does.
     */
    public void apply(Path manifests) {
        new Kubectl(kubectl(), kubeconfig(), layout.folder()).apply(manifests, settings.patience());
    }

    /** Kills the API server. Everything else goes on and misses it. */
    public void stopApiServer() {
        apiServer.ifPresent(Child::close);
        apiServer = Optional.empty();
    }

    /** Starts the API server on the port that it had; returns when it is ready. */
    public void startApiServer() {
        if (apiServer.isPresent()) {
            throw new IllegalStateException("the API server runs");
        }
        Child server = plane.startApiServer();
        apiServer = Optional.of(server);
        Health.awaitReady(server, new Access(kubeconfig()), settings.patience());
    }

    /** Kills the API server and starts it on the same port. */
    public void restartApiServer() {
        stopApiServer();
        startApiServer();
    }

    /**
     * Stops the API server's clockwork without closing a connection, as a machine that hangs does, or lets it go on.
     */
    public void freezeApiServer(boolean frozen) {
        apiServer.ifPresent(server -> server.freeze(frozen));
    }

    /** Installs Tekton Pipelines and starts its programs; returns when they are ready. A second call does nothing. */
    public synchronized void installTekton() {
        if (tekton.isEmpty()) {
            Tekton installed = new Tekton(this, settings, layout);
            companions.add(installed);
            installed.start();
            tekton = Optional.of(installed);
        }
    }

    /** Starts a node that runs nothing but says that it does. It ends with the cluster. */
    public synchronized SimulatedKubelet startKubelet() {
        SimulatedKubelet kubelet = SimulatedKubelet.start(new Access(kubeconfig()));
        companions.add(kubelet);
        return kubelet;
    }

    /** Ends everything and removes the folder. */
    @Override
    public void close() {
        forget(hook);
        stop();
    }

    /** Without a lock: whoever wants to end it does not wait for those who still start it. */
    private void stop() {
        stopProcesses();
        layout.remove();
    }

    private void stopProcesses() {
        for (AutoCloseable companion : companions) {
            closeQuietly(companion);
        }
        admin.ifPresent(KubernetesClient::close);
        // The others first: they would only complain about what is gone.
        manager.ifPresent(Child::close);
        apiServer.ifPresent(Child::close);
        etcd.ifPresent(Child::close);
    }

    private static void closeQuietly(AutoCloseable companion) {
        try {
            companion.close();
        } catch (Exception useless) {
            // It goes with the process in any case, and the rest must go as well.
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // Then it runs, or has run.
        }
    }

    private static String secret() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
