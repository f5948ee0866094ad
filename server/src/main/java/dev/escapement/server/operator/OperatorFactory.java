package dev.escapement.server.operator;

import dev.escapement.engine.request.Retention;
import dev.escapement.kubernetes.audit.AuditOutbox;
import dev.escapement.kubernetes.audit.AuditPermissions;
import dev.escapement.kubernetes.audit.AuditSources;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.controller.LeaderElection;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.ParameterCheck;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.config.Setting;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsTable;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final String MISSING_AUDIT_RIGHTS =
            " the operator may not store how far audit records were delivered: apply deploy/kubernetes/audit.yaml";
    private static final Logger LOG = LoggerFactory.getLogger(OperatorFactory.class);

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
        return openOrFail("the API server at %s".formatted(client.getMasterUrl()), "does not answer", () -> {
            missingResources(client).ifPresent(problem -> {
                throw new StartException(Reason.CLUSTER, problem);
            });
            if (KubernetesClients.hasOutdatedTargets(client)) {
                throw new StartException(
                        Reason.CLUSTER,
                        "the resources of the cluster (kubernaut.ai/v1alpha1) are older than this program: "
                                + INSTALL_COMMAND);
            }
            // Refused here, with the name of the permission, and not by a watch that never starts.
            KubernetesClients.checkNotificationAccess(client);
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
        return openOrFail(problem, "", part);
    }

    /** @param otherwise what the subject did if it has not refused the request */
    private static <T> T openOrFail(String subject, String otherwise, Supplier<T> part) {
        String problem = otherwise.isEmpty() ? subject : subject + " " + otherwise;
        try {
            return part.get();
        } catch (StartException refused) {
            throw refused;
        } catch (KubernetesClientException refused) {
            String cause =
                    accessProblem(refused).map(access -> subject + " " + access).orElse(problem);
            throw new StartException(Reason.CLUSTER, cause + ": " + StartException.rootMessage(refused), refused);
        } catch (RuntimeException failure) {
            throw new StartException(Reason.CLUSTER, problem + ": " + StartException.rootMessage(failure), failure);
        }
    }

    /** Describes a refusal because of missing credentials or permissions; the message of the server names the right. */
    static Optional<String> accessProblem(KubernetesClientException refused) {
        return switch (refused.getCode()) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                Optional.of("does not accept the credentials (401): check the token or certificate of the kubeconfig");
            case HttpURLConnection.HTTP_FORBIDDEN ->
                Optional.of("forbids a request (403): apply deploy/kubernetes/rbac.yaml, or use another account");
            default -> Optional.empty();
        };
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
            KubernetesClient client,
            Settings settings,
            boolean tekton,
            Optional<Catalogue> declarations,
            InstantSource clock) {
        String namespace = settings.get(SettingsTable.EXECUTION_NAMESPACE);
        String engine = settings.get(SettingsTable.ENGINE);
        ParameterCheck check = declarations
                .<ParameterCheck>map(catalogue -> catalogue::findParameterProblem)
                .orElse(ParameterCheck.NONE);
        return openOrFail(
                START_FAILED, () -> KubernetesRunnerService.start(client, namespace, tekton, engine, check, clock));
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

    static void awaitSync(SharedIndexInformer<?> informer) {
        await(informer::hasSynced, informer);
    }

    /** Waits until the journal has the Events of before the start: its end is where the news begin. */
    static void awaitListed(EventJournal journal) {
        await(journal::isListed, journal.informer());
    }

    private static void await(BooleanSupplier condition, SharedIndexInformer<?> informer) {
        long deadline = System.nanoTime() + SYNC_TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StartException(
                        Reason.CLUSTER,
                        "%s cannot be watched: check that the permissions of the operator (deploy/kubernetes/rbac.yaml)"
                                        .formatted(informer.getApiTypeClass().getSimpleName())
                                + " are installed");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    static ClusterOperator startOperator(
            ClusterOperator.Components components,
            Settings settings,
            String identity,
            Predicate<Instant> recorded,
            Consumer<Duration> reconcileTimer,
            Runnable leadershipLost) {
        boolean isDefault = settings.origin(SettingsTable.WORKERS.key()).equals(Setting.Origin.DEFAULT);
        int threads = isDefault ? DEFAULT_THREADS : settings.get(SettingsTable.WORKERS);
        Optional<LeaderElection> election = usesLeaderElection(settings)
                ? Optional.of(new LeaderElection(settings.get(SettingsTable.NAMESPACE), identity))
                : Optional.empty();
        Retention retention = new Retention(settings.operatorRetention());
        var options = new ClusterOperator.Options(
                threads, settings.get(SettingsTable.STOP_GRACE), election, retention, recorded, reconcileTimer);
        return openOrFail(START_FAILED, () -> ClusterOperator.start(components, options, leadershipLost));
    }

    /** Returns the outbox of audit records; empty if nothing receives them. */
    static Optional<AuditOutbox> createOutbox(
            KubernetesClient client, Settings settings, boolean hasDatabase, AuditSources sources) {
        boolean hasSink = settings.get(SettingsTable.AUDIT_SINK_URL).isPresent();
        if (!hasSink && !hasDatabase) {
            return Optional.empty();
        }
        String namespace = settings.get(SettingsTable.NAMESPACE);
        if (AuditPermissions.mayStorePosition(client, namespace)) {
            return Optional.of(new AuditOutbox(client, namespace, sources));
        } else if (hasSink) {
            throw new StartException(Reason.CLUSTER, "audit.sink.url is set, but" + MISSING_AUDIT_RIGHTS);
        }
        LOG.warn("There is no audit trail, because{}", MISSING_AUDIT_RIGHTS);
        return Optional.empty();
    }

    private static boolean usesLeaderElection(Settings settings) {
        return switch (settings.get(SettingsTable.LEADER_ELECTION)) {
            case "on" -> true;
            case "off" -> false;
            default -> KubernetesClients.isInPod();
        };
    }
}
