package dev.escapement.server;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.kubernetes.controller.ReconcileTimer;
import dev.escapement.kubernetes.controller.RunInformers;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.server.StartException.Obstacle;
import dev.escapement.server.settings.ClusterSettings;
import dev.escapement.server.settings.Origin;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsTable;
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

/** Opens the parts of an operator that reach the cluster, and says what stands in the way. */
final class ClusterOpening {

    private static final String BEGIN =
            "the operator cannot begin; if it is not allowed to, apply deploy/kubernetes/rbac.yaml";
    private static final String NO_WAY = "there is no way to a cluster: name a file with --kubeconfig or KUBECONFIG";

    /** The address that the client library assumes if nobody names one. It means something in a pod only. */
    private static final String ASSUMED = "kubernetes.default.svc";

    private static final String APPLY = "kubectl apply -f deploy/kubernetes/crds";

    /** A look waits for the API server most of the time, so that more threads than cores are of use. */
    private static final int USUAL_THREADS = 32;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int IDENTITY_LENGTH = 8;

    private ClusterOpening() {}

    static List<String> withoutEffect(Settings settings) {
        String instead = ": on a cluster the rules are in the ConfigMap %s of namespace %s"
                .formatted(PolicyConfigMap.NAME, settings.get(ClusterSettings.NAMESPACE));
        return settings.givenBesides(SettingsTable.OF_OPERATOR).stream()
                .map(row -> "%s (%s) has no effect%s"
                        .formatted(
                                row.key(),
                                row.origin(),
                                row.key().startsWith(SettingsTable.POLICY) ? instead : " on a cluster"))
                .toList();
    }

    static KubernetesClient client(Settings settings, KubernetesClients.ResponseListener calls) {
        KubernetesClient client;
        try {
            client = KubernetesClients.open(settings.get(ClusterSettings.KUBECONFIG), calls);
        } catch (RuntimeException failure) {
            throw obstacle(NO_WAY, failure);
        }
        if (client.getMasterUrl().getHost().equals(ASSUMED) && !KubernetesClients.isInPod()) {
            client.close();
            throw new StartException(Obstacle.CLUSTER, NO_WAY + " that is there and names a cluster");
        }
        return client;
    }

    /** Returns whether Tekton is there. */
    static boolean check(KubernetesClient client, Settings settings) {
        try {
            missing(client).ifPresent(problem -> {
                throw new StartException(Obstacle.CLUSTER, problem);
            });
            boolean tekton = KubernetesClients.hasTekton(client);
            if (!tekton && settings.get(ClusterSettings.ENGINE).equals(KubernetesRunnerService.TEKTON)) {
                throw new StartException(
                        Obstacle.CLUSTER,
                        "the cluster has no Tekton Pipelines (tekton.dev/v1): install it, or run executions as Jobs with"
                                + " --engine job");
            }
            return tekton;
        } catch (StartException told) {
            throw told;
        } catch (RuntimeException failure) {
            throw obstacle("the API server at " + client.getMasterUrl() + " does not answer", failure);
        }
    }

    /** What has to be installed first, and how. */
    static Optional<String> missing(KubernetesClient client) {
        List<String> missing = KubernetesClients.missingResourceKinds(client);
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the cluster does not know %s (kubernaut.ai/v1alpha1): %s"
                        .formatted(String.join(" and ", missing), APPLY));
    }

    private static StartException obstacle(String what, RuntimeException failure) {
        return new StartException(Obstacle.CLUSTER, what + ": " + Opening.rootMessage(failure), failure);
    }

    /** The name of this replica: that of its pod, and one that no restart has had before. */
    static String identity() {
        String random = UUID.randomUUID().toString().substring(0, IDENTITY_LENGTH);
        try {
            return InetAddress.getLocalHost().getHostName() + "-" + random;
        } catch (UnknownHostException nameless) {
            return "escapement-" + random;
        }
    }

    static RunInformers watch(KubernetesClient client, Settings settings, boolean tekton, InstantSource clock) {
        try {
            return RunInformers.start(client, settings.get(ClusterSettings.EXECUTION_NAMESPACE), tekton, clock);
        } catch (RuntimeException failure) {
            throw obstacle(BEGIN, failure);
        }
    }

    /** By the defaults, instead of rules that somebody got wrong, the ledger would forget what it should keep. */
    static void begin(PolicyConfigMap policy) {
        policy.loadInitial().ifPresent(problem -> {
            throw new StartException(
                    Obstacle.CLUSTER,
                    "ConfigMap %s: %s; correct it, or delete it for the defaults"
                            .formatted(PolicyConfigMap.NAME, problem));
        });
    }

    /** Returns when they know what there is. */
    static void await(List<SharedIndexInformer<?>> informers) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (SharedIndexInformer<?> informer : informers) {
            while (!informer.hasSynced()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new StartException(
                            Obstacle.CLUSTER,
                            "%s cannot be watched: see whether the rights of the operator (deploy/kubernetes/rbac.yaml) are"
                                            .formatted(
                                                    informer.getApiTypeClass().getSimpleName())
                                    + " there");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    static ClusterOperator operator(
            ClusterOperator.Components parts,
            Settings settings,
            String identity,
            ReconcileTimer timing,
            Runnable lost) {
        boolean usual = settings.origin(SettingsTable.WORKERS.key()).equals(Origin.DEFAULT);
        int threads = usual ? USUAL_THREADS : settings.get(SettingsTable.WORKERS);
        Optional<LeaderElection> election = elects(settings)
                ? Optional.of(new LeaderElection(settings.get(ClusterSettings.NAMESPACE), identity))
                : Optional.empty();
        try {
            return ClusterOperator.start(
                    parts,
                    new ClusterOperator.Options(threads, settings.get(SettingsTable.STOP_GRACE), election, timing),
                    lost);
        } catch (RuntimeException failure) {
            throw obstacle(BEGIN, failure);
        }
    }

    private static boolean elects(Settings settings) {
        return switch (settings.get(ClusterSettings.LEADER_ELECTION)) {
            case "on" -> true;
            case "off" -> false;
            default -> KubernetesClients.isInPod();
        };
    }
}
