package dev.escapement.kubernetes.store;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.ApiGroup;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.StoreWrite.EntryUpdate;
import dev.escapement.engine.port.Versioned;
import dev.escapement.governor.Policy;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.kubernetes.cache.ResourceCache;
import dev.escapement.kubernetes.cache.ResourceWriter;
import dev.escapement.kubernetes.resource.ClearanceRequest;
import dev.escapement.kubernetes.resource.RemediationTargetResource;
import dev.escapement.kubernetes.resource.WorkflowExecutionResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A person's request to clear an entry comes before every other change of that entry. */
class PendingClearanceTest {

    /** Nothing listens there: a write that is sent fails. */
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    private final ResourceCache<RemediationTargetResource> targets = new ResourceCache<>();
    private final KubernetesExecutionStore store = new KubernetesExecutionStore(
            new ResourceWriter<>(client, WorkflowExecutionResource.class, new ResourceCache<>()),
            new ResourceWriter<>(client, RemediationTargetResource.class, targets),
            () -> Policy.DEFAULT);
    private final Held held = ExecutionSamples.heldEntry(ExecutionSamples.execution(1));

    @AfterEach
    void closeClient() {
        client.close();
    }

    private Versioned<LedgerEntry> storeWithAnnotations(LedgerEntry entry, Map<String, String> annotations) {
        RemediationTargetResource resource = RemediationTargetResource.updatedResource("7", entry);
        resource.getMetadata().setUid("u");
        resource.getMetadata().setAnnotations(annotations);
        targets.put(resource.getMetadata().getName(), resource);
        return resource.read();
    }

    private boolean release(Map<String, String> annotations) {
        Versioned<LedgerEntry> seen = storeWithAnnotations(held, annotations);
        LedgerEntry failed = held.release(new ExecutionOutcome.FailedDuringExecution("TaskFailed"), NOW);
        return store.apply(List.of(new EntryUpdate(seen, failed, NOW)));
    }

    @Test
    void refusesOtherWriteUntilRequestIsProcessed() {
        assertThat(release(Map.of(ApiGroup.CLEAR, "checked", ApiGroup.CLEARED_BY, "anna")))
                .isFalse();
    }

    @Test
    void incompleteRequestDoesNotStopOtherWrites() {
        assertThatThrownBy(() -> release(Map.of(ApiGroup.CLEAR, "checked")))
                .describedAs("the write is sent")
                .isInstanceOf(KubernetesClientException.class);
        assertThatThrownBy(() -> release(Map.of(ApiGroup.CLEAR, " ", ApiGroup.CLEARED_BY, "anna")))
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void clearanceIsWritten() {
        LedgerEntry blocked = ExecutionSamples.blockedEntry(ExecutionSamples.execution(1));
        Versioned<LedgerEntry> seen =
                storeWithAnnotations(blocked, Map.of(ApiGroup.CLEAR, "checked", ApiGroup.CLEARED_BY, "anna"));
        LedgerEntry cleared =
                blocked.clear(new Clearance("anna", "checked", NOW)).orElseThrow();
        assertThatThrownBy(() -> store.apply(List.of(new EntryUpdate(seen, cleared, NOW))))
                .describedAs("the write is sent")
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void removesBothAnnotationsAndKeepsOthers() {
        storeWithAnnotations(held, Map.of(ApiGroup.CLEAR, "checked", ApiGroup.CLEARED_BY, "anna", "team", "blue"));
        RemediationTargetResource stored =
                targets.get("", held.target().objectName()).orElseThrow();
        assertThat(ClearanceRequest.removeFrom(stored.getMetadata()).getAnnotations())
                .containsExactly(Map.entry("team", "blue"));
        assertThat(ClearanceRequest.isPresentOn(stored))
                .describedAs("the cached object is unchanged")
                .isTrue();
    }
}
