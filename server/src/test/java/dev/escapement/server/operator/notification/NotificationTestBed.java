package dev.escapement.server.operator.notification;

import dev.escapement.common.Json;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.WatchHealth;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.event.EventJournal;
import dev.escapement.kubernetes.resource.NotificationRequestResource;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.server.CloseStack;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.operator.OperatorHarness;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Notifications on the shared test cluster without the rest of an operator, in a namespace of their own. The test
 * writes the executions that have ended; each started service stands for one operator that leads.
 */
final class NotificationTestBed implements AutoCloseable {

    private final TestCluster cluster;
    private final Settings settings;
    private final String namespace;

    /** @param yaml the file that configures notifications */
    NotificationTestBed(TestCluster cluster, Path folder, String yaml) throws IOException {
        this.cluster = cluster;
        OperatorHarness.install(cluster);
        this.namespace = cluster.createNamespace("notified");
        Path file = Files.writeString(folder.resolve("notifications.yaml"), yaml);
        this.settings = SettingsReader.read(new SettingsSources(
                Map.of(
                        "namespace",
                        namespace,
                        "data",
                        folder.toString(),
                        "stop-grace",
                        "1s",
                        "notifications.file",
                        file.toString(),
                        "notifications.allow",
                        "127.0.0.1"),
                Map.of(),
                folder,
                folder));
    }

    /** An operator as far as notifications are concerned. */
    record RunningNotifications(ClusterNotificationService service, CloseStack closeStack) implements AutoCloseable {
        @Override
        public void close() {
            closeStack.close();
        }
    }

    /** Starts a leader with caches of its own. */
    RunningNotifications startLeader(Duration lease) {
        return startLeader(lease, ClusterNotificationCreator.MAX_PENDING);
    }

    /** @param maxPending how many transitions without a notification are kept in memory */
    RunningNotifications startLeader(Duration lease, int maxPending) {
        CloseStack stack = new CloseStack();
        KubernetesClient client =
                stack.add(KubernetesClients.open(cluster.admin().getConfiguration(), (method, status) -> {}));
        ResourceCache<WorkflowExecutionResource> executions = WorkflowExecutionResource.newCache();
        ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
        var executionInformer = executions.newInformer(
                client.resources(WorkflowExecutionResource.class).inAnyNamespace());
        var targetInformer = targets.newInformer(client.resources(RemediationTargetResource.class));
        stack.add(executionInformer);
        stack.add(targetInformer);
        WatchHealth.startAll(List.of(executionInformer, targetInformer));
        EventJournal journal = stack.add(new EventJournal(client, InstantSource.system()));
        ConditionPoller.await("the journal is listed", journal::isListed);
        ClusterNotificationService service = stack.add(new ClusterNotificationService(
                settings,
                new ClusterNotificationService.Sources(client, executions, targets, journal),
                new SimpleMeterRegistry(),
                InstantSource.system(),
                () -> true,
                lease,
                maxPending));
        ConditionPoller.await("its cache is filled", service.informer()::hasSynced);
        service.startLeading();
        return new RunningNotifications(service, stack);
    }

    /** Waits until a started leader has stored where it begins. */
    void awaitPosition() {
        ConditionPoller.await(
                "the position is stored",
                () -> cluster.admin()
                                .configMaps()
                                .inNamespace(namespace)
                                .withName(NotificationPosition.CONFIG_MAP)
                                .get()
                        != null);
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient admin() {
        return cluster.admin();
    }

    /** Creates an execution and skips it, as an operator does. */
    void skipExecution(String name, String target) {
        UntypedExecution execution = new UntypedExecution();
        execution.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        execution.setSpec(Map.of("workflowRef", Map.of("workflowId", "repair"), "targetResource", target));
        UntypedExecution created = cluster.admin().resource(execution).create();
        String now = Instant.now().toString();
        created.setStatus(Map.of(
                "phase",
                "Skipped",
                "completionTime",
                now,
                "skipDetails",
                Map.of("reason", "ExhaustedRetries", "message", "no retry is left", "skippedAt", now)));
        cluster.admin().resource(created).updateStatus();
    }

    /** Creates a notification, as a person does with kubectl. */
    void createByHand(String name, Map<String, Object> spec) {
        cluster.create(Json.write(Map.of(
                "apiVersion",
                "kubernaut.ai/v1alpha1",
                "kind",
                "NotificationRequest",
                "metadata",
                Map.of("namespace", namespace, "name", name),
                "spec",
                spec)));
    }

    /** Returns the notifications in the namespace of the operator, the oldest first. */
    List<NotificationRequestResource> notifications() {
        return cluster
                .admin()
                .resources(NotificationRequestResource.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .sorted(Comparator.comparingLong(ResourceCache::versionOf))
                .toList();
    }

    List<NotificationRequestResource> awaitNotifications(
            String what, Predicate<List<NotificationRequestResource>> condition) {
        return ConditionPoller.await(what, this::notifications, condition);
    }

    static boolean allFinal(List<NotificationRequestResource> all) {
        return !all.isEmpty() && all.stream().allMatch(NotificationRequestResource::isFinal);
    }

    @Override
    public void close() {
        cluster.admin()
                .resources(NotificationRequestResource.class)
                .inNamespace(namespace)
                .delete();
        cluster.admin().resources(UntypedExecution.class).inNamespace(namespace).delete();
    }
}
