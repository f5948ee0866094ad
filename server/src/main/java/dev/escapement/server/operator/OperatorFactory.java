package dev.escapement.server.operator;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.Setting;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/** Opens the parts of an operator that use the cluster. Each method throws {@link StartException} if it cannot. */
final class OperatorFactory {

    private static final String START_FAILED =
            "the operator cannot start; if it lacks permissions, apply deploy/kubernetes/rbac.yaml";
    private static final String NO_CLUSTER =
            "no cluster is configured: name a kubeconfig file with --kubeconfig or KUBECONFIG";

    /** The host that the client library assumes without a configuration. It resolves in a pod only. */
    private static final String DEFAULT_API_HOST = "kubernetes.default.svc";

    private static final String INSTALL_COMMAND = "kubectl apply -f deploy/kubernetes/crds";

    /** More than cores, because a reconciliation mostly waits for the API server. */
    private static final int DEFAULT_THREADS = 32;

    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(60);
    private static final int IDENTITY_LENGTH = 8;

    private OperatorFactory() {}

    static KubernetesClient openClient(Settings settings, ObjIntConsumer<String> listener) {
        KubernetesClient client =
                openOrFail(NO_CLUSTER, () -> KubernetesClients.open(settings.get(SettingsTable.KUBECONFIG), listener));
        if (client.getMasterUrl().getHost().equals(DEFAULT_API_HOST) && !KubernetesClients.isInPod()) {
            client.close();
            throw new StartException(Reason.CLUSTER, NO_CLUSTER + " that exists and names a cluster");
        }
        return client;
    }

    /** Returns whether Tekton is installed. */
    static boolean checkCluster(KubernetesClient client, Settings settings) {
        return openOrFail("the API server at " + client.getMasterUrl() + " does not answer", () -> {
            missingResources(client).ifPresent(problem -> {
                throw new StartException(Reason.CLUSTER, problem);
            });
            boolean tekton = KubernetesClients.hasTekton(client);
            if (!tekton && settings.get(SettingsTable.ENGINE).equals(KubernetesRunnerService.TEKTON)) {
                throw new StartException(
                        Reason.CLUSTER,
                        "the cluster has no Tekton Pipelines (tekton.dev/v1): install it, or run executions as Jobs with"
                                + " --engine job");
            }
            return tekton;
        });
    }

    /** Returns which custom resource definitions are missing and how to install them; empty if none. */
    static Optional<String> missingResources(KubernetesClient client) {
        List<String> missing = KubernetesClients.missingResourceKinds(client);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the cluster does not know %s (kubernaut.ai/v1alpha1): %s"
                        .formatted(String.join(" and ", missing), INSTALL_COMMAND));
    }

    private static <T> T openOrFail(String problem, Supplier<T> part) {
        try {
            return part.get();
        } catch (StartException refused) {
            throw refused;
        } catch (RuntimeException failure) {
            throw new StartException(Reason.CLUSTER, problem + ": " + StartException.rootMessage(failure), failure);
        }
    }

    /** Returns a name for this replica: the host name and a random part, which differs after each restart. */
    static String createIdentity() {
        String random = UUID.randomUUID().toString().substring(0, IDENTITY_LENGTH);
        try {
            return InetAddress.getLocalHost().getHostName() + "-" + random;
        } catch (UnknownHostException nameless) {
            return "escapement-" + random;
        }
    }

    static KubernetesRunnerService startRunnerService(
            KubernetesClient client, Settings settings, boolean tekton, InstantSource clock) {
        String namespace = settings.get(SettingsTable.EXECUTION_NAMESPACE);
        String engine = settings.get(SettingsTable.ENGINE);
        return openOrFail(START_FAILED, () -> KubernetesRunnerService.start(client, namespace, tekton, engine, clock));
    }

    /** Does not fall back to the default policy, by which the ledger could drop entries that it should keep. */
    static void requireValidPolicy(PolicyConfigMap policy) {
        policy.loadInitial().ifPresent(problem -> {
            throw new StartException(
                    Reason.CLUSTER,
                    "ConfigMap %s: %s; correct it, or delete it for the defaults"
                            .formatted(PolicyConfigMap.NAME, problem));
        });
    }

    static void awaitSync(List<SharedIndexInformer<?>> informers) {
        long deadline = System.nanoTime() + SYNC_TIMEOUT.toNanos();
        for (SharedIndexInformer<?> informer : informers) {
            while (!informer.hasSynced()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StartException(
                            Reason.CLUSTER,
                            "%s cannot be watched: check that the permissions of the operator (deploy/kubernetes/rbac.yaml)"
                                            .formatted(
                                                    informer.getApiTypeClass().getSimpleName())
                                    + " are installed");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    static ClusterOperator startOperator(
            ClusterOperator.Components components,
            Settings settings,
            String identity,
            Consumer<Duration> reconcileTimer,
            Runnable leadershipLost) {
        boolean isDefault = settings.origin(SettingsTable.WORKERS.key()).equals(Setting.Origin.DEFAULT);
        int threads = isDefault ? DEFAULT_THREADS : settings.get(SettingsTable.WORKERS);
        Optional<LeaderElection> election = usesLeaderElection(settings)
                ? Optional.of(new LeaderElection(settings.get(SettingsTable.NAMESPACE), identity))
                : Optional.empty();
        var options =
                new ClusterOperator.Options(threads, settings.get(SettingsTable.STOP_GRACE), election, reconcileTimer);
        return openOrFail(START_FAILED, () -> ClusterOperator.start(components, options, leadershipLost));
    }

    private static boolean usesLeaderElection(Settings settings) {
        return switch (settings.get(SettingsTable.LEADER_ELECTION)) {
            case "on" -> true;
            case "off" -> false;
            default -> KubernetesClients.isInPod();
        };
    }
}
