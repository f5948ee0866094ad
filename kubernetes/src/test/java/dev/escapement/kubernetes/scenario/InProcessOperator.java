package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.engine.request.ExecutionService;
import dev.escapement.engine.request.Retention;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.controller.ClusterOperator;
import dev.escapement.kubernetes.event.DeletionActors;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.event.EventPublisher;
import dev.escapement.kubernetes.event.EventPublishingStore;
import dev.escapement.kubernetes.event.EventReplayer;
import dev.escapement.kubernetes.policy.PolicyConfigMap;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.ParameterCheck;
import dev.escapement.kubernetes.store.KubernetesExecutionQueries;
import dev.escapement.kubernetes.store.KubernetesExecutionStore;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.Kubeconfig;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** An operator in this JVM, with the permissions of its service account. */
final class InProcessOperator implements AutoCloseable {

    private static final int THREADS = 16;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private static final int SWITCHING_PROTOCOLS = 101;

    private final AtomicInteger requests = new AtomicInteger();
    private final Deque<Runnable> closeActions = new ArrayDeque<>();
    private final KubernetesClient client;
    private final PolicyConfigMap policy;
    private final ExecutionService executionService;

    InProcessOperator(TestCluster cluster) {
        this(cluster, InstalledCluster.RUN_NAMESPACE);
    }

    /** @param namespace of the runs */
    InProcessOperator(TestCluster cluster, String namespace) {
        this(cluster, namespace, new Retention(Duration.ZERO));
    }

    InProcessOperator(TestCluster cluster, String namespace, Retention retention) {
        InstantSource clock = InstantSource.system();
        Kubeconfig access =
                cluster.kubeconfigFor(InstalledCluster.OPERATOR_NAMESPACE, InstalledCluster.SERVICE_ACCOUNT);
        client = closeLater(KubernetesClients.open(access.config(), this::countRequest), KubernetesClient::close);
        EventJournal journal = closeLater(new EventJournal(client, clock), EventJournal::close);
        EventPublisher publisher =
                closeLater(new EventPublisher(client, journal, "scenarios", clock), EventPublisher::close);
        policy = closeLater(
                new PolicyConfigMap(
                        client, InstalledCluster.OPERATOR_NAMESPACE, clock, publisher::publishPolicyRefused),
                PolicyConfigMap::close);
        KubernetesRunnerService runnerService = closeLater(
                KubernetesRunnerService.start(
                        client, namespace, true, KubernetesRunnerService.TEKTON, ParameterCheck.NONE, clock),
                KubernetesRunnerService::close);
        ConditionPoller.await(
                "the watches of Events and of the ConfigMap",
                () -> journal.informer().hasSynced() && policy.informer().hasSynced());
        assertThat(policy.loadInitial()).isEmpty();
        ResourceCache<WorkflowExecutionResource> executions = WorkflowExecutionResource.newCache();
        ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
        var executionWriter = new ResourceWriter<>(client, WorkflowExecutionResource.class, executions);
        var targetWriter = new ResourceWriter<>(client, RemediationTargetResource.class, targets);
        ExecutionQueries queries = new KubernetesExecutionQueries(executionWriter, targetWriter);
        KubernetesExecutionStore resources = new KubernetesExecutionStore(executionWriter, targetWriter, policy);
        DeletionActors deletions = new DeletionActors();
        EventReplayer replayer =
                new EventReplayer(executions, targets, resources::readExecution, publisher::publish, deletions, clock);
        ExecutionStore store = new EventPublishingStore(resources, executions, publisher, replayer, deletions);
        executionService = new ExecutionService(store, queries, policy);
        closeLater(
                ClusterOperator.start(
                        new ClusterOperator.Components(
                                client,
                                executions,
                                targets,
                                new Engine(store, runnerService, policy),
                                resources.waiting(),
                                runnerService,
                                policy,
                                replayer,
                                publisher,
                                clock),
                        new ClusterOperator.Options(
                                THREADS, SHUTDOWN_TIMEOUT, Optional.empty(), retention, at -> true, duration -> {}),
                        () -> {
                            throw new IllegalStateException("the operator lost its lease");
                        }),
                ClusterOperator::close);
    }

    private <T> T closeLater(T component, Consumer<T> close) {
        closeActions.push(() -> close.accept(component));
        return component;
    }

    /** Returns whether the operator has this permission in the namespace of the runs. */
    boolean isAllowed(String verb, String group, String resource) {
        var review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .withNamespace(InstalledCluster.RUN_NAMESPACE)
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(review)
                .getStatus()
                .getAllowed();
    }

    PolicyConfigMap policy() {
        return policy;
    }

    ExecutionService executionService() {
        return executionService;
    }

    /** Closes in reverse order. */
    @Override
    public void close() {
        while (!closeActions.isEmpty()) {
            closeActions.pop().run();
        }
    }

    /** Ignores the responses that open a watch. */
    private void countRequest(String method, int code) {
        if (code != SWITCHING_PROTOCOLS) {
            requests.incrementAndGet();
        }
    }

    /** Returns how many requests were sent to the API server so far. */
    int requestCount() {
        return requests.get();
    }
}
