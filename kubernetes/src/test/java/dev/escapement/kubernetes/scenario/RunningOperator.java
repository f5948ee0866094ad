package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.Access;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.kubernetes.journal.EventJournal;
import dev.escapement.kubernetes.journal.EventPoster;
import dev.escapement.kubernetes.journal.Teller;
import dev.escapement.kubernetes.journal.TellingStore;
import dev.escapement.kubernetes.operator.ApiServer;
import dev.escapement.kubernetes.operator.ClusterOperator;
import dev.escapement.kubernetes.operator.PolicyMap;
import dev.escapement.kubernetes.operator.RunWatches;
import dev.escapement.kubernetes.operator.Timing;
import dev.escapement.kubernetes.resource.RemediationTarget;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.Eventually;
import dev.escapement.kubernetes.run.KubernetesRuns;
import dev.escapement.kubernetes.store.ItemView;
import dev.escapement.kubernetes.store.KubernetesDirectory;
import dev.escapement.kubernetes.store.KubernetesStore;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/** An operator in this JVM, with the rights of its service account. */
final class RunningOperator implements AutoCloseable {

    private static final int THREADS = 16;
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final KubernetesClient client;
    private final PolicyMap policy;
    private final ExecutionService requests;

    RunningOperator(TestCluster cluster) {
        this(cluster, Installed.RUNS);
    }

    /** One whose runs are in that namespace. */
    RunningOperator(TestCluster cluster, String namespace) {
        InstantSource clock = InstantSource.system();
        Access access = cluster.tokenFor(Installed.SYSTEM, Installed.ACCOUNT);
        client = opened(ApiServer.open(access.config(), (method, code) -> {}), KubernetesClient::close);
        EventJournal journal = opened(EventJournal.watch(client), EventJournal::close);
        EventPoster poster = opened(new EventPoster(client, journal, "scenarios", clock), EventPoster::close);
        policy = opened(PolicyMap.watch(client, Installed.SYSTEM, clock, poster::refused), PolicyMap::close);
        RunWatches watches = opened(RunWatches.start(client, namespace, true, clock), RunWatches::close);
        Eventually.holds(
                "the watches of Events and of the ConfigMap",
                () -> journal.informer().hasSynced() && policy.informer().hasSynced());
        assertThat(policy.begin()).isEmpty();
        ItemView<WorkflowExecution> executions = new ItemView<>();
        ItemView<RemediationTarget> targets = new ItemView<>();
        ExecutionQueries directory = new KubernetesDirectory(client, executions, targets);
        ExecutionStore store = new TellingStore(
                new KubernetesStore(client, executions, targets), executions, poster::post, poster::insist);
        KubernetesRuns runs = watches.runs(KubernetesRuns.TEKTON);
        Teller teller = new Teller(executions, targets, poster::post, clock);
        requests = new ExecutionService(store, directory, policy);
        opened(
                ClusterOperator.start(
                        new ClusterOperator.Parts(
                                client,
                                executions,
                                targets,
                                store,
                                new Engine(store, runs, policy),
                                runs,
                                watches.informers(),
                                policy,
                                teller,
                                poster,
                                clock),
                        new ClusterOperator.Rules(THREADS, GRACE, Optional.empty(), new Timing(took -> {})),
                        () -> {
                            throw new IllegalStateException("the operator must not go on");
                        }),
                ClusterOperator::close);
    }

    private <T> T opened(T part, Consumer<T> close) {
        opened.push(() -> close.accept(part));
        return part;
    }

    /** Whether it may do that where the runs are. */
    boolean may(String verb, String group, String resource) {
        var asked = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .withNamespace(Installed.RUNS)
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(asked)
                .getStatus()
                .getAllowed();
    }

    /** The rules that it knows. */
    PolicyMap policy() {
        return policy;
    }

    /** What people ask it for through its API. */
    ExecutionService requests() {
        return requests;
    }

    /** What was opened last is closed first. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
