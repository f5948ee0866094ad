package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.testkit.Property;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import dev.escapement.testkit.cluster.UntypedExecution;
import dev.escapement.testkit.cluster.UntypedTarget;
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

/** A real API server stores every status that the program writes, and rejects forbidden changes. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class StatusSchemaIT {

    private static final int CASES = Boolean.getBoolean("escapement.nightly") ? 150 : 40;

    private final CrdTestCluster crdCluster;

    StatusSchemaIT(TestCluster cluster) {
        crdCluster = new CrdTestCluster(cluster);
    }

    @AfterAll
    void cleanUp() {
        crdCluster.close();
    }

    @Test
    void storesAnyExecutionStatusUnchanged() {
        Property.forAll(CASES, gen -> {
            UntypedExecution stored = createExecution();
            stored.setStatus(CrdTestCluster.statusOf(ResourceDocumentGenerator.executionDocument(gen)));
            assertThat(canonical(
                            crdCluster.admin().resource(stored).updateStatus().getStatus()))
                    .isEqualTo(canonical(stored.getStatus()));
        });
    }

    @Test
    void storesAnyEntryUnchanged() {
        int[] number = {0};
        Property.forAll(CASES, gen -> {
            Map<String, Object> status = CrdTestCluster.statusOf(ResourceDocumentGenerator.entryDocument(gen));
            UntypedTarget entry = newEntry("node/any-" + number[0]++, status);
            assertThat(canonical(crdCluster.admin().resource(entry).create().getStatus()))
                    .isEqualTo(canonical(entry.getStatus()));
        });
    }

    /** Numbers that are equal have one type after a round trip through JSON. */
    private static Map<String, Object> canonical(Map<String, Object> document) {
        return Json.toMap(Json.read(Json.write(document), Map.class));
    }

    @ParameterizedTest
    @EnumSource(FailureReason.class)
    void storesEveryFailureReason(FailureReason reason) {
        UntypedExecution failed =
                updateStatus(createExecution(), Map.of("phase", "Failed", "failureDetails", reasonDocument(reason)));
        assertThat(failed.getStatus()).containsEntry("failureDetails", reasonDocument(reason));
    }

    @ParameterizedTest
    @EnumSource(SkipReason.class)
    void storesEverySkipReason(SkipReason reason) {
        UntypedExecution skipped =
                updateStatus(createExecution(), Map.of("phase", "Skipped", "skipDetails", reasonDocument(reason)));
        assertThat(skipped.getStatus()).containsEntry("skipDetails", reasonDocument(reason));
    }

    private static Map<String, Object> reasonDocument(Enum<?> reason) {
        return Map.of("reason", reason.name());
    }

    @Test
    void rejectsUnknownPhaseOrReason() {
        UntypedExecution stored = createExecution();
        assertThat(rejectionMessage(() -> updateStatus(stored, Map.of("phase", "Paused"))))
                .contains("status.phase", "supported values");
        assertThat(rejectionMessage(() ->
                        updateStatus(stored, Map.of("phase", "Failed", "failureDetails", Map.of("reason", "Bad")))))
                .contains("status.failureDetails.reason", "supported values");
        assertThat(rejectionMessage(() -> updateStatus(stored, Map.of("outcome", "Success"))))
                .contains("status.phase: Required value");
    }

    @Test
    void rejectsSpecChange() {
        UntypedExecution stored = createExecution();
        stored.getSpec().put("targetResource", "node/another");
        assertThat(rejectionMessage(() -> crdCluster.admin().resource(stored).update()))
                .contains("the spec of an execution never changes", "create another execution under a new name");
    }

    /** Users cancel with an annotation. */
    @Test
    void acceptsAnnotationChange() {
        UntypedExecution stored = createExecution();
        stored.getMetadata().setAnnotations(Map.of("kubernaut.ai/cancelled-by", "anna"));
        assertThat(CrdTestCluster.read(crdCluster.admin().resource(stored).update())
                        .cancelledBy())
                .contains("anna");
    }

    @Test
    void rejectsChangeOfFinalPhase() {
        UntypedExecution running = updateStatus(createExecution(), Map.of("phase", "Running"));
        assertThat(rejectionMessage(() -> updateStatus(running, Map.of("phase", "Skipped"))))
                .contains("can only complete or fail");
        UntypedExecution completed = updateStatus(running, Map.of("phase", "Completed"));
        assertThat(rejectionMessage(() -> updateStatus(completed, Map.of("phase", "Running"))))
                .contains("a finished execution cannot change");
    }

    @Test
    void rejectsLowerEpochAndHolderChangeWithoutHigherEpoch() {
        UntypedTarget held = crdCluster
                .admin()
                .resource(newEntry("node/held", heldStatus("one", 7)))
                .create();
        assertThat(rejectionMessage(() -> updateEntry(held, heldStatus("one", 6))))
                .contains("the epoch never decreases");
        assertThat(rejectionMessage(() -> updateEntry(held, heldStatus("two", 7))))
                .contains("without a higher epoch");
        assertThat(rejectionMessage(() -> updateEntry(held, Map.of("state", "Held", "epoch", 8))))
                .contains("if and only if");
        assertThat(updateEntry(held, heldStatus("two", 8)).getStatus()).containsEntry("epoch", 8);
    }

    @Test
    void rejectsTargetChangeOfEntry() {
        UntypedTarget entry = crdCluster
                .admin()
                .resource(newEntry("node/mine", Map.of("state", "Free", "epoch", 1)))
                .create();
        entry.getSpec().put("targetResource", "node/yours");
        assertThat(rejectionMessage(() -> crdCluster.admin().resource(entry).update()))
                .contains("the target of an entry cannot be changed");
        entry.getMetadata().setName("by-hand");
        assertThat(crdCluster.rejection(entry).orElse("accepted")).contains("the name must be wfe-");
    }

    @Test
    void requiresCanonicalTargetAndStatusOnCreate() {
        UntypedTarget entry = newEntry("node/fresh", Map.of("state", "Free", "epoch", 1));
        entry.getSpec().put("targetResource", "Node/fresh");
        assertThat(crdCluster.rejection(entry).orElse("accepted")).contains("spec.targetResource", "canonical form");
        UntypedTarget bare = newEntry("node/fresh", Map.of());
        assertThat(crdCluster.rejection(bare).orElse("accepted")).contains("status.state: Required value");
    }

    private UntypedExecution createExecution() {
        return crdCluster
                .admin()
                .resource(crdCluster.newExecution("confidence", 1))
                .create();
    }

    private UntypedExecution updateStatus(UntypedExecution stored, Map<String, Object> status) {
        stored.setStatus(new LinkedHashMap<>(status));
        UntypedExecution written = crdCluster.admin().resource(stored).updateStatus();
        stored.setMetadata(written.getMetadata());
        return written;
    }

    private UntypedTarget updateEntry(UntypedTarget stored, Map<String, Object> status) {
        stored.setStatus(new LinkedHashMap<>(status));
        return crdCluster.admin().resource(stored).update();
    }

    private static Map<String, Object> heldStatus(String uid, int epoch) {
        return Map.of("state", "Held", "epoch", epoch, "holder", Map.of("name", "e", "uid", uid));
    }

    /** Entries are cluster-scoped: the namespace of the test in the name separates them from those of other tests. */
    private UntypedTarget newEntry(String target, Map<String, Object> status) {
        Target own = Target.parse(target + "." + crdCluster.namespace());
        UntypedTarget entry = new UntypedTarget();
        entry.setMetadata(new ObjectMetaBuilder().withName(own.objectName()).build());
        entry.setSpec(new LinkedHashMap<>(Map.of("targetResource", own.canonical())));
        entry.setStatus(new LinkedHashMap<>(status));
        return entry;
    }

    private static String rejectionMessage(ThrowingCallable write) {
        KubernetesClientException refused = catchThrowableOfType(KubernetesClientException.class, write);
        return refused == null ? "accepted" : CrdTestCluster.serverMessage(refused);
    }
}
