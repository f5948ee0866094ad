package dev.escapement.kubernetes.audit;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.common.Json;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.engine.port.Versioned;
import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** An outbox on a real API server, with a journal and a clock that a test controls. */
abstract class AuditOutboxFixture {

    static final Duration EVENT_LIFETIME = Duration.ofHours(1);

    final AtomicInteger writes = new AtomicInteger();
    final MemoryJournal journal = new MemoryJournal();
    final List<Transition> stored = new ArrayList<>();
    final KubernetesClient client;
    final String namespace;
    Instant now = ExecutionSamples.NOW;
    boolean eventsRemoved;
    boolean eventsComplete = true;
    AuditOutbox outbox;

    AuditOutboxFixture(TestCluster cluster) {
        namespace = cluster.createNamespace("audit");
        client = KubernetesClients.open(Optional.of(cluster.cluster().kubeconfig()), (method, code) -> {
            if (!method.equals("GET")) {
                writes.incrementAndGet();
            }
        });
        outbox = startOutbox();
    }

    @AfterEach
    void close() {
        client.close();
    }

    AuditOutbox startOutbox() {
        AuditOutbox started = new AuditOutbox(
                client,
                namespace,
                new AuditSources(
                        journal,
                        position -> position,
                        position -> position,
                        (after, until) -> stored.stream()
                                .filter(each ->
                                        each.at().isAfter(after) && !each.at().isAfter(until))
                                .toList(),
                        position -> eventsRemoved,
                        () -> eventsComplete,
                        () -> now));
        started.start(() -> true);
        return started;
    }

    /** Makes something happen now; its Event is in the journal. */
    void append(int first, int last) {
        IntStream.rangeClosed(first, last).mapToObj(this::transition).forEach(journal::append);
    }

    Transition transition(int number) {
        return Transition.of(
                        new StoreWrite.Deletion(new Versioned<>(ExecutionSamples.execution(number), "1"), "anna", now))
                .orElseThrow();
    }

    static List<String> names(List<AuditOutbox.Item> items) {
        return items.stream()
                .map(item -> String.valueOf(
                        Json.read(item.document(), AuditRecord.class).execution()))
                .toList();
    }

    static List<String> executions(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> "ops/e" + number)
                .toList();
    }

    /** Delivers everything, a few at a time. */
    List<String> deliverAll(AuditOutbox from) {
        List<String> delivered = new ArrayList<>();
        for (List<AuditOutbox.Item> items = from.read(3); !items.isEmpty(); items = from.read(3)) {
            delivered.addAll(names(items));
            from.advance(from.position(), from.position() + items.size());
        }
        return delivered;
    }

    List<String> storedBatches() {
        return client
                .configMaps()
                .inNamespace(namespace)
                .withLabel("kubernaut.ai/audit-batch")
                .list()
                .getItems()
                .stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    void pass(Duration time) {
        now = now.plus(time);
    }
}
