package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Publishes with a user that has no permissions at first. */
@ExtendWith(ClusterExtension.class)
class EventPublisherIT {

    private static final int MORE_THAN_QUEUE_CAPACITY = 41_000;
    private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);

    private final Deque<Runnable> scheduledRetries = new ConcurrentLinkedDeque<>();
    private final KubernetesClient admin;
    private final KubernetesClient client;
    private final String namespace;
    private final EventJournal journal;
    private final EventPublisher publisher;

    EventPublisherIT(TestCluster cluster) {
        this.admin = cluster.admin();
        this.namespace = cluster.createNamespace("events");
        this.client = KubernetesClients.open(
                new ConfigBuilder(admin.getConfiguration())
                        .withImpersonateUsername(namespace)
                        .build(),
                (method, code) -> {});
        this.journal = new EventJournal(admin, () -> ExecutionSamples.NOW);
        this.publisher = newPublisher(client);
    }

    private EventPublisher newPublisher(KubernetesClient user) {
        return new EventPublisher(
                user, journal, "test", () -> ExecutionSamples.NOW, (wait, work) -> scheduledRetries.add(work));
    }

    @AfterEach
    void close() {
        publisher.close();
        journal.close();
        client.close();
    }

    private void allowEventCreation() {
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("create-events")
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("")
                        .withResources("events")
                        .withVerbs("create")
                        .endRule()
                        .build())
                .create();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("create-events")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "create-events")
                        .addNewSubject("rbac.authorization.k8s.io", "User", namespace, null)
                        .build())
                .create();
    }

    private static Transition acceptedTransition(String namespace, int number) {
        Execution execution = ExecutionSamples.execution(namespace, number, "repair", "node/worker-1");
        return Transition.of(new StoreWrite.Creation(execution)).orElseThrow();
    }

    private void awaitPublished() {
        ConditionPoller.await("the Event exists", () -> {
            if (!scheduledRetries.isEmpty()) {
                scheduledRetries.remove().run();
            }
            return publishedEvents().size() == 1;
        });
    }

    private List<Event> publishedEvents() {
        return admin.v1().events().inNamespace(namespace).list().getItems();
    }

    @Test
    void publishesRefusedEventOnceAllowed() {
        Transition transition = acceptedTransition(namespace, 1);
        publisher.onLoss(() -> publisher.publish(transition));
        publisher.publish(transition);
        ConditionPoller.await("the Event is refused", () -> publisher.lostCount() == 1);
        assertThat(publishedEvents()).isEmpty();

        allowEventCreation();
        awaitPublished();
    }

    @Test
    void laterEventsWaitForRefusedOneOfTheirExecution() {
        Execution execution = ExecutionSamples.execution(namespace, 1, "repair", "node/worker-1");
        Transition cancelled = Transition.of(new StoreWrite.Cancellation(
                        new Versioned<>(execution, Versioned.ABSENT), "ada", ExecutionSamples.NOW))
                .orElseThrow();
        publisher.publish(acceptedTransition(namespace, 1));
        ConditionPoller.await("the Event is refused", () -> publisher.lostCount() == 1);
        allowEventCreation();
        ConditionPoller.await("other Events are created", () -> {
            publisher.publish(acceptedTransition(namespace, 2));
            return publishedEvents().size() == 1;
        });
        publisher.publish(cancelled);
        assertThat(publisher.flush(FLUSH_TIMEOUT)).isTrue();
        assertThat(publishedEvents()).as("it was not created first").hasSize(1);
        assertThat(publisher.isComplete()).isFalse();

        scheduledRetries.remove().run();
        assertThat(publisher.flush(TestCluster.TIMEOUT)).isTrue();
        assertThat(publishedEvents().stream()
                        .filter(event -> event.getInvolvedObject()
                                .getUid()
                                .equals(execution.ref().uid()))
                        .sorted(Comparator.comparingLong(ResourceCache::versionOf))
                        .map(Event::getReason))
                .containsExactly("WorkflowAccepted", "CancellationRequested");
        assertThat(publisher.isComplete()).isTrue();
    }

    /** Whoever may create Events can take the name of one, because it follows from the transition. */
    @Test
    void publishesUnderAnotherNameIfSomebodyTookIt() {
        Transition transition = acceptedTransition(namespace, 1);
        Event taken = EventMapper.toEvent(transition, "somebody");
        taken.getMetadata().setAnnotations(Map.of());
        admin.resource(taken).create();
        try (EventPublisher allowed = newPublisher(admin)) {
            allowed.publish(transition);
            assertThat(allowed.flush(TestCluster.TIMEOUT)).isTrue();
            allowed.publish(transition);
            assertThat(allowed.flush(TestCluster.TIMEOUT)).isTrue();
        }
        assertThat(publishedEvents().stream().filter(EventMapper::hasTransition))
                .singleElement()
                .satisfies(event -> assertThat(event.getMetadata().getName())
                        .startsWith(taken.getMetadata().getName() + "-"));
        assertThat(journal.contains(transition)).isTrue();
    }

    /** For example a clearance that the next one has replaced. */
    @Test
    void publishesRefusedEventThatIsNoLongerStored() {
        publisher.publish(acceptedTransition(namespace, 1));
        ConditionPoller.await("the Event is refused", () -> publisher.lostCount() == 1);
        allowEventCreation();
        awaitPublished();
    }

    @Test
    void publishAndWaitReturnsAfterEventIsCreated() {
        try (EventPublisher allowed = newPublisher(admin)) {
            Transition transition = acceptedTransition(namespace, 1);
            allowed.publishAndWait(transition);
            assertThat(publishedEvents()).hasSize(1);
        }
    }

    @Test
    void publishAndWaitReturnsAfterRefusal() {
        publisher.publishAndWait(acceptedTransition(namespace, 1));
        assertThat(publisher.lostCount()).isEqualTo(1);
    }

    @Test
    void publishAndWaitSkipsTransitionsOlderThanEventLifetime() {
        Execution old = ExecutionSamples.execution(namespace, 1, "repair", "node/worker-1");
        Transition transition = Transition.of(new StoreWrite.Cancellation(
                        new Versioned<>(old, Versioned.ABSENT), "ada", ExecutionSamples.NOW.minus(Duration.ofHours(2))))
                .orElseThrow();
        try (EventPublisher allowed = newPublisher(admin)) {
            allowed.publishAndWait(transition);
            assertThat(allowed.flush(FLUSH_TIMEOUT)).isTrue();
            assertThat(publishedEvents()).isEmpty();
        }
    }

    @Test
    void countsAndReschedulesEventsBeyondQueueCapacity() {
        Config unreachable = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();
        try (KubernetesClient unreachableClient = KubernetesClients.open(unreachable, (method, code) -> {});
                EventPublisher overloaded = newPublisher(unreachableClient)) {
            for (int number = 0; number < MORE_THAN_QUEUE_CAPACITY; number++) {
                overloaded.publish(acceptedTransition(namespace, number));
            }
            assertThat(overloaded.lostCount()).isGreaterThan(900);
            assertThat(scheduledRetries).hasSize(1);
        }
    }

    @Test
    void doesNotCountEventOfMissingNamespaceAsLost() {
        try (EventPublisher allowed = newPublisher(admin)) {
            allowed.publish(acceptedTransition("nowhere", 1));
            assertThat(allowed.flush(TestCluster.TIMEOUT)).isTrue();
            assertThat(allowed.lostCount()).isZero();
        }
    }

    /** The journal ignores such Events. */
    @Test
    void flushDoesNotWaitForEventsWithoutTransition() {
        WorkflowExecutionResource resource = WorkflowExecutionResource.newResource(
                ExecutionSamples.execution(namespace, 1, "repair", "node/worker-1"));
        resource.getMetadata().setUid("uid");
        try (EventPublisher allowed = newPublisher(admin)) {
            allowed.publishHeldUp(resource, "a webhook is unreachable");
            ConditionPoller.await("the Event exists", () -> publishedEvents().size() == 1);
            assertThat(allowed.flush(FLUSH_TIMEOUT)).isTrue();
        }
    }
}
