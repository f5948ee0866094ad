package dev.escapement.server.operator;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.kubernetes.controller.RunInformers;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.OperatorSettings;
import dev.escapement.server.config.SettingOrigin;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import dev.escapement.server.standalone.StandaloneFactory;
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

/** Opens the parts of an operator that reach the cluster, and says what stands in the way. */
final class OperatorFactory {

    private static final String START_FAILED =
            "the operator cannot begin; if it is not allowed to, apply deploy/kubernetes/rbac.yaml";
    private static final String NO_CLUSTER =
            "there is no way to a cluster: name a file with --kubeconfig or KUBECONFIG";

    /** The address that the client library assumes if nobody names one. It means something in a pod only. */
    private static final String DEFAULT_API_HOST = "kubernetes.default.svc";

    private static final String INSTALL_COMMAND = "kubectl apply -f deploy/kubernetes/crds";

    /** A look waits for the API server most of the time, so that more threads than cores are of use. */
    private static final int DEFAULT_THREADS = 32;

    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(60);
    private static final int IDENTITY_LENGTH = 8;

    private OperatorFactory() {}

    static List<String> ineffectiveSettings(Settings settings) {
        String instead = ": on a cluster the rules are in the ConfigMap %s of namespace %s"
                .formatted(PolicyConfigMap.NAME, settings.get(OperatorSettings.NAMESPACE));
        return settings.givenExcept(SettingsTable.OPERATOR).stream()
                .map(row -> "%s (%s) has no effect%s"
                        .formatted(
                                row.key(),
                                row.origin(),
                                row.key().startsWith(SettingsTable.POLICY_PREFIX) ? instead : " on a cluster"))
                .toList();
    }

    static KubernetesClient openClient(Settings settings, KubernetesClients.ResponseListener calls) {
        KubernetesClient client;
        try {
            client = KubernetesClients.open(settings.get(OperatorSettings.KUBECONFIG), calls);
        } catch (RuntimeException failure) {
            throw startFailure(NO_CLUSTER, failure);
        }
        if (client.getMasterUrl().getHost().equals(DEFAULT_API_HOST) && !KubernetesClients.isInPod()) {
            client.close();
            throw new StartException(Reason.CLUSTER, NO_CLUSTER + " that is there and names a cluster");
        }
        return client;
    }

    /** Returns whether Tekton is there. */
    static boolean checkCluster(KubernetesClient client, Settings settings) {
        try {
            missingResources(client).ifPresent(problem -> {
                throw new StartException(Reason.CLUSTER, problem);
            });
            boolean tekton = KubernetesClients.hasTekton(client);
            if (!tekton && settings.get(OperatorSettings.ENGINE).equals(KubernetesRunnerService.TEKTON)) {
                throw new StartException(
                        Reason.CLUSTER,
                        "the cluster has no Tekton Pipelines (tekton.dev/v1): install it, or run executions as Jobs with"
                                + " --engine job");
            }
            return tekton;
        } catch (StartException told) {
            throw told;
        } catch (RuntimeException failure) {
            throw startFailure("the API server at " + client.getMasterUrl() + " does not answer", failure);
        }
    }

    /** What has to be installed first, and how. */
    static Optional<String> missingResources(KubernetesClient client) {
        List<String> missing = KubernetesClients.missingResourceKinds(client);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the cluster does not know %s (kubernaut.ai/v1alpha1): %s"
                        .formatted(String.join(" and ", missing), INSTALL_COMMAND));
    }

    private static StartException startFailure(String what, RuntimeException failure) {
        return new StartException(Reason.CLUSTER, what + ": " + StandaloneFactory.rootCauseMessage(failure), failure);
    }

    /** The name of this replica: that of its pod, and one that no restart has had before. */
    static String createIdentity() {
        String random = UUID.randomUUID().toString().substring(0, IDENTITY_LENGTH);
        try {
            return InetAddress.getLocalHost().getHostName() + "-" + random;
        } catch (UnknownHostException nameless) {
            return "escapement-" + random;
        }
    }

    static RunInformers watchRuns(KubernetesClient client, Settings settings, boolean tekton, InstantSource clock) {
        try {
            return RunInformers.start(client, settings.get(OperatorSettings.EXECUTION_NAMESPACE), tekton, clock);
        } catch (RuntimeException failure) {
            throw startFailure(START_FAILED, failure);
        }
    }

    /** By the defaults, instead of rules that somebody got wrong, the ledger would forget what it should keep. */
    static void requireValidPolicy(PolicyConfigMap policy) {
        policy.loadInitial().ifPresent(problem -> {
            throw new StartException(
                    Reason.CLUSTER,
                    "ConfigMap %s: %s; correct it, or delete it for the defaults"
                            .formatted(PolicyConfigMap.NAME, problem));
        });
    }

    /** Returns when they know what there is. */
    static void awaitSync(List<SharedIndexInformer<?>> informers) {
        long deadline = System.nanoTime() + SYNC_TIMEOUT.toNanos();
        for (SharedIndexInformer<?> informer : informers) {
            while (!informer.hasSynced()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StartException(
                            Reason.CLUSTER,
                            "%s cannot be watched: see whether the rights of the operator (deploy/kubernetes/rbac.yaml) are"
                                            .formatted(
                                                    informer.getApiTypeClass().getSimpleName())
                                    + " there");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    static ClusterOperator startOperator(
            ClusterOperator.Components parts,
            Settings settings,
            String identity,
            Consumer<Duration> reconcileTimer,
            Runnable lost) {
        boolean usual = settings.origin(SettingsTable.WORKERS.key()).equals(SettingOrigin.DEFAULT);
        int threads = usual ? DEFAULT_THREADS : settings.get(SettingsTable.WORKERS);
        Optional<LeaderElection> election = usesLeaderElection(settings)
                ? Optional.of(new LeaderElection(settings.get(OperatorSettings.NAMESPACE), identity))
                : Optional.empty();
        try {
            return ClusterOperator.start(
                    parts,
                    new ClusterOperator.Options(
                            threads, settings.get(SettingsTable.STOP_GRACE), election, reconcileTimer),
                    lost);
        } catch (RuntimeException failure) {
            throw startFailure(START_FAILED, failure);
        }
    }

    private static boolean usesLeaderElection(Settings settings) {
        return switch (settings.get(OperatorSettings.LEADER_ELECTION)) {
            case "on" -> true;
            case "off" -> false;
            default -> KubernetesClients.isInPod();
        };
    }
}
