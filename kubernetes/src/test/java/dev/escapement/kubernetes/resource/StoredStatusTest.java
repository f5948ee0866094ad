package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.testkit.Property;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Everything that the program can write, a real API server stores; what must not change, it does not let change. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class StoredStatusTest {

    private final Applied applied;

    StoredStatusTest(TestCluster cluster) {
        applied = new Applied(cluster);
    }

    @AfterAll
    void cleanUp() {
        applied.close();
    }

    @Test
    void anyStatusOfAnExecutionIsStoredAsItIs() {
        Property.forAll(150, gen -> {
            WorkflowExecution stored = created();
            stored.setStatus(Applied.asSent(Maps.part(AnyDocument.ofExecution(gen), "status")));
            assertThat(applied.admin().resource(stored).updateStatus().getStatus())
                    .isEqualTo(stored.getStatus());
        });
    }

    @Test
    void anyEntryIsStoredAsItIs() {
        int[] number = {0};
        Property.forAll(100, gen -> {
            Map<String, Object> status = Applied.asSent(Maps.part(AnyDocument.ofEntry(gen), "status"));
            RemediationTarget entry = entry("node/any-" + number[0]++, status);
            assertThat(applied.admin().resource(entry).create().getStatus()).isEqualTo(entry.getStatus());
        });
    }

    @ParameterizedTest
    @EnumSource(FailureReason.class)
    void everyReasonOfAFailureCanBeStored(FailureReason reason) {
        WorkflowExecution failed = with(created(), Map.of("phase", "Failed", "failureDetails", reason(reason)));
        assertThat(failed.getStatus()).containsEntry("failureDetails", reason(reason));
    }

    @ParameterizedTest
    @EnumSource(SkipReason.class)
    void everyReasonOfASkipCanBeStored(SkipReason reason) {
        WorkflowExecution skipped = with(created(), Map.of("phase", "Skipped", "skipDetails", reason(reason)));
        assertThat(skipped.getStatus()).containsEntry("skipDetails", reason(reason));
    }

    private static Map<String, Object> reason(Enum<?> reason) {
        return Map.of("reason", reason.name());
    }

    @Test
    void whatIsNoPhaseOrReasonIsRefused() {
        WorkflowExecution stored = created();
        assertThat(refusal(() -> with(stored, Map.of("phase", "Paused")))).contains("status.phase", "supported values");
        assertThat(refusal(() -> with(stored, Map.of("phase", "Failed", "failureDetails", Map.of("reason", "Bad")))))
                .contains("status.failureDetails.reason", "supported values");
        assertThat(refusal(() -> with(stored, Map.of("outcome", "Success")))).contains("status.phase: Required value");
    }

    @Test
    void aSpecNeverChanges() {
        WorkflowExecution stored = created();
        stored.getSpec().put("targetResource", "node/another");
        assertThat(refusal(() -> applied.admin().resource(stored).update()))
                .contains("the spec of an execution never changes", "create another execution under a new name");
    }

    /** It is how people cancel. */
    @Test
    void anAnnotationMayChange() {
        WorkflowExecution stored = created();
        stored.getMetadata().setAnnotations(Map.of("kubernaut.ai/cancelled-by", "anna"));
        assertThat(ExecutionCodec.read(applied.admin().resource(stored).update())
                        .value()
                        .cancelledBy())
                .contains("anna");
    }

    @Test
    void whatIsOverStaysOver() {
        WorkflowExecution running = with(created(), Map.of("phase", "Running"));
        assertThat(refusal(() -> with(running, Map.of("phase", "Skipped")))).contains("can only complete or fail");
        WorkflowExecution completed = with(running, Map.of("phase", "Completed"));
        assertThat(refusal(() -> with(completed, Map.of("phase", "Running")))).contains("stays as it is");
    }

    @Test
    void anEpochNeverFallsAndAHolderChangesWithIt() {
        RemediationTarget held =
                applied.admin().resource(entry("node/held", held("one", 7))).create();
        assertThat(refusal(() -> change(held, held("one", 6)))).contains("the epoch never falls");
        assertThat(refusal(() -> change(held, held("two", 7)))).contains("without a higher epoch");
        assertThat(refusal(() -> change(held, Map.of("state", "Held", "epoch", 8))))
                .contains("if and only if");
        assertThat(change(held, held("two", 8)).getStatus()).containsEntry("epoch", 8);
    }

    @Test
    void anEntryIsThatOfItsTargetForEver() {
        RemediationTarget entry = applied.admin()
                .resource(entry("node/mine", Map.of("state", "Free", "epoch", 1)))
                .create();
        entry.getSpec().put("targetResource", "node/yours");
        assertThat(refusal(() -> applied.admin().resource(entry).update())).contains("never becomes that of another");
        entry.getMetadata().setName("by-hand");
        assertThat(applied.refusal(entry).orElse("accepted")).contains("the name must be wfe-");
    }

    @Test
    void anEntryIsCanonicalAndHasItsStatusFromTheBeginning() {
        RemediationTarget entry = entry("node/fresh", Map.of("state", "Free", "epoch", 1));
        entry.getSpec().put("targetResource", "Node/fresh");
        assertThat(applied.refusal(entry).orElse("accepted")).contains("spec.targetResource", "canonical form");
        RemediationTarget bare = entry("node/fresh", Map.of());
        assertThat(applied.refusal(bare).orElse("accepted")).contains("status.state: Required value");
    }

    private WorkflowExecution created() {
        return applied.admin().resource(applied.asked("confidence", 1)).create();
    }

    private WorkflowExecution with(WorkflowExecution stored, Map<String, Object> status) {
        stored.setStatus(new LinkedHashMap<>(status));
        WorkflowExecution written = applied.admin().resource(stored).updateStatus();
        stored.setMetadata(written.getMetadata());
        return written;
    }

    private RemediationTarget change(RemediationTarget stored, Map<String, Object> status) {
        stored.setStatus(new LinkedHashMap<>(status));
        return applied.admin().resource(stored).update();
    }

    private static Map<String, Object> held(String uid, int epoch) {
        return Map.of("state", "Held", "epoch", epoch, "holder", Map.of("name", "e", "uid", uid));
    }

    /** Entries have no namespace: the one of the test keeps them apart from those of others. */
    private RemediationTarget entry(String target, Map<String, Object> status) {
        Target own = Target.parse(target + "." + applied.namespace());
        RemediationTarget entry = new RemediationTarget();
        entry.setMetadata(new ObjectMetaBuilder().withName(own.objectName()).build());
        entry.setSpec(new LinkedHashMap<>(Map.of("targetResource", own.canonical())));
        entry.setStatus(new LinkedHashMap<>(status));
        return entry;
    }

    private static String refusal(ThrowingCallable write) {
        KubernetesClientException refused = catchThrowableOfType(KubernetesClientException.class, write);
        return refused == null ? "accepted" : Applied.said(refused);
    }
}
